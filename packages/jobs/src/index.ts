export * from './callbacks/callbacks.ts';
export * from './callbacks/machine-failures.ts';
export * from './catalog/catalog.ts';
export * from './catalog/progress-message.ts';
export * from './catalog/queued-job.ts';
export * from './catalog/scheduled-tasks.ts';
export { CHANGE_ID, type ChangeEntry } from './changes/change-entry.ts';
export { ChangeLog, listName, type ReportedChange } from './changes/change-log.ts';
export * from './changes/poll.ts';
export { projectLog } from './changes/project-log.ts';
export * from './credentials/credentials.ts';
export * from './credentials/intents.ts';
export * from './credentials/kept-tokens.ts';
export * from './credentials/settle-intents.ts';
export * from './estimates/job-bar.ts';
export { UsualDurations } from './estimates/usual-durations.ts';
export * from './fairness/queue-job.ts';
export * from './fairness/queue-load.ts';
export * from './fairness/resume-job.ts';
export * from './fairness/worker-slots.ts';
export { LogLostError } from './feed/event-log.ts';
export { FEED_LENGTH } from './feed/feed.ts';
export type { HistoryLimits } from './history/append-history.ts';
export { type ErasedUser, eraseUserFromHistories, withoutUser } from './history/erase-user.ts';
export {
  type HistoryEntry,
  type HistoryOutcome,
  type HistoryRequest,
  historyJobId,
  historyOutcome,
  historyResources,
  namesInEntry,
  typesInEntry,
} from './history/history-entry.ts';
export { HistoryLog } from './history/history-log.ts';
export { addHistory, readHistories, type StoredHistory } from './history/history-transfer.ts';
export { excessMemory, trimHistories } from './history/trim-histories.ts';
export * from './holds/holds.ts';
export * from './keys.ts';
export * from './lists/failed-jobs.ts';
export { forgetEndedJobs } from './lists/forget-ended.ts';
export * from './lists/jobs-of-type.ts';
export * from './lists/list-jobs.ts';
export { queuedEnds } from './lists/queued-ends.ts';
export * from './lists/resource-owners.ts';
export * from './outbox/outbox.ts';
export * from './progress/await-job.ts';
export * from './progress/count-fault.ts';
export { type JobEvent, readEvents, readLastMessage } from './progress/job-events.ts';
export * from './progress/progress-log.ts';
export * from './progress/relay.ts';
export type { EventListener, Subscription } from './progress/subscription.ts';
export * from './progress/write-errors.ts';
export * from './queues/cron-entries.ts';
export * from './queues/queue-entries.ts';
export * from './queues/queues.ts';
export * from './queues/task-successes.ts';
export * from './records/exclusive-job.ts';
export * from './records/job-failure.ts';
export * from './records/job-record.ts';
export * from './records/journal-writer.ts';
export * from './records/present-job.ts';
export * from './records/reservations.ts';
export * from './records/restore.ts';
export * from './requests/cancellation.ts';
export * from './requests/join-job.ts';
export * from './requests/producer.ts';
export { readStoreHold, releaseStoreHold, type StoreHold } from './store-use/store-hold.ts';
export { StoreUse } from './store-use/store-use.ts';
export { countLeftovers, readSweep, type Sweep, sweptJobs } from './sweeps/sweep.ts';
export * from './sweeps/sweep-log.ts';
