import {
  INTERRUPTED,
  isKnownJobType,
  type JobPayload,
  type JobRecord,
  ProgressLog,
  type QueuedJob,
  readJob,
  readOpenJobs,
  readQueued,
} from '@gateway/jobs';
import { interruptedMessage } from './interrupted-message.ts';
import type { RestoreContext } from './restore-context.ts';

/**
 * Ends all unfinished jobs as failed, without a rollback. That releases their reservations of GPUs, which the
 * servers of the cloud then show. Their queue entries do nothing any more: a worker that receives one only
 * releases the credential of the job.
 */
export async function interruptJobs(
  context: RestoreContext,
): Promise<{ interrupted: number; unknown: number }> {
  const { redis } = context;
  let interrupted = 0;
  let unknown = 0;
  for (const jobId of await readOpenJobs(redis.store, Number.MAX_SAFE_INTEGER)) {
    const [record, queued] = await Promise.all([readJob(redis.store, jobId), readQueued(redis.store, jobId)]);
    if (record === null) continue;
    if (!isKnownJobType(record.type)) unknown += 1;
    else if (await interrupt(context, record, queued)) interrupted += 1;
  }
  return { interrupted, unknown };
}

/** Returns false for a job that has ended meanwhile. */
async function interrupt(
  { autoBackups, config, liteClusters, redis }: RestoreContext,
  record: JobRecord,
  queued: QueuedJob | null,
): Promise<boolean> {
  const { keepSeconds, projectUnsuccessfulLimit: unsuccessfulLimit } = config.jobs;
  const log = await ProgressLog.claim(record, {
    redis: redis.store,
    keepSeconds,
    unsuccessfulLimit,
    history: config.history,
  });
  if (!(log instanceof ProgressLog)) return false;
  if (queued?.type === 'volume.auto-backup') {
    const { configurationId } = queued.payload as JobPayload<'volume.auto-backup'>;
    const outcome = { status: 'failed', error: INTERRUPTED.detail, at: Date.now() } as const;
    await autoBackups.store.recordOutcome(configurationId, record.createdAt, outcome);
  }
  if (queued?.type.startsWith('lite.')) {
    const { clusterId } = queued.payload as { clusterId: string };
    const cluster = await liteClusters.read(clusterId);
    if (cluster !== null)
      await liteClusters.update(cluster, { statusReason: INTERRUPTED.detail }, ['ACTIVE']);
  }
  const message = await interruptedMessage(redis.store, record, queued);
  await log.end(message, { status: 'failed', failure: INTERRUPTED });
  return true;
}
