import type { QueueName } from '@gateway/platform';

/**
 * Keys of jobs. The braces put all of them into one slot of a Redis Cluster, because one script changes a
 * job's record, its log and the feed at once. An id comes last, after a word of its own, so that no id can
 * produce another key.
 */
export const jobKeys = {
  record: (jobId: string) => `{jobs}:job:${jobId}`,
  /** A list: event n of the job is its n-th element. */
  log: (jobId: string) => `{jobs}:log:${jobId}`,
  /** A hash: the journal of the saga, one entry per step. */
  journal: (jobId: string) => `{jobs}:journal:${jobId}`,
  /** A stream with the events of all jobs and projects. A relay follows it with one blocking read. */
  feed: '{jobs}:feed',
  /** A stream: what has changed in a project. Exists while somebody listens, and for a while after that. */
  changes: (projectId: string) => `{jobs}:changes:${projectId}`,
  /** A hash that exists as long as the stream: its maximum length, and the polls of each list. */
  listening: (projectId: string) => `{jobs}:listening:${projectId}`,
  /** A sorted set of the projects with such a hash, by when it expires. */
  listenedProjects: '{jobs}:listened-projects',
  /** A hash: the jobs that no worker runs until they are released, and why (`HoldReason`). */
  held: '{jobs}:held',
  /** The job that is about to create a row which no poll has seen yet. */
  changeCause: (projectId: string, id: string) => `{jobs}:change-cause:${projectId}:${id}`,
  /** A hash: the last known state of each row of a list, by id. */
  knownRows: (projectId: string, list: string) => `{jobs}:known-rows:${projectId}:${list}`,
  /** The lock of the process that polls a list. */
  pollLock: (projectId: string, list: string) => `{jobs}:polling:${projectId}:${list}`,
  credential: (handle: string) => `{jobs}:credential:${handle}`,
  /** A hash: delegations that are being created, see `DelegationIntent`. */
  delegationIntents: '{jobs}:delegation-intents',
  /** A hash: application credentials that are being created, see `CredentialMakerIntent`. */
  credentialMakerIntents: '{jobs}:credential-maker-intents',
  /** A hash: the fingerprints of the tokens of jobs without a delegation, by credential handle. */
  keptTokens: '{jobs}:kept-tokens',
  /** A hash: the tokens among them that must be revoked once no job uses them, by fingerprint. */
  postponedRevocations: '{jobs}:postponed-revocations',
  /** A sorted set by time of creation: the jobs of all projects that have not ended. */
  open: '{jobs}:open',
  /** A sorted set by time of creation: the jobs of all types and projects whose records are kept. */
  all: '{jobs}:all',
  /**
   * A sorted set by time of creation: the jobs that members of a project see. Unless there are many, it
   * expires with the last of their records.
   */
  ofProject: (projectId: string) => `{jobs}:of:${projectId}`,
  /**
   * A sorted set by time of creation: the jobs of a resource that members of its project see. The member is
   * that of `resourceOf`. Expires with the last of their records.
   */
  ofResource: (member: string) => `{jobs}:of-resource:${member}`,
  /** A sorted set by time of creation: the jobs of a type in all projects, where such a list is kept. */
  ofType: (type: string) => `{jobs}:of-type:${type}`,
  /** A list: how long the steps of the last completed jobs of a type have taken, latest first. */
  durations: (type: string) => `{jobs}:durations:${type}`,
  /** A sorted set by time: the ids of the entries of a project's history. */
  history: (projectId: string) => `{jobs}:history:${projectId}`,
  /** A sorted set: the projects with a history, by the time of its last entry. */
  historyProjects: '{jobs}:history-projects',
  /** A hash: the parts of these entries, as `request:<id>` and `job:<id>`. */
  historyParts: (projectId: string) => `{jobs}:history-parts:${projectId}`,
  /** A sorted set by time: those of them that were refused or have failed. */
  historyUnsuccessful: (projectId: string) => `{jobs}:history-unsuccessful:${projectId}`,
  /** The id of the exclusive job on a subject; deleted when that job has ended. */
  exclusive: (subject: string) => `{jobs}:exclusive:${subject}`,
  /** A hash: the tokens with which a machine reports to a job, and its latest report. */
  callback: (jobId: string) => `{jobs}:callback:${jobId}`,
  /** A hash: the tokens with which several machines report to a job, and the failure of each. */
  failures: (jobId: string) => `{jobs}:failures:${jobId}`,
  /** A sorted set by time of creation: the jobs on one queue that have not begun. */
  waiting: (queue: QueueName) => `{jobs}:waiting:${queue}`,
  /** A sorted set by tag (`fairQueueing`): those of them that a worker may receive. */
  ready: (queue: QueueName) => `{jobs}:ready:${queue}`,
  /** A sorted set by tag: those of one project. */
  readyOfProject: (queue: QueueName, projectId: string) => `{jobs}:ready-of:${queue}:${projectId}`,
  /** A sorted set by time of creation: a project's jobs that wait until it runs fewer jobs. */
  blocked: (queue: QueueName, projectId: string) => `{jobs}:blocked:${queue}:${projectId}`,
  /** The tag of the job on one queue that began last. */
  virtualTime: (queue: QueueName) => `{jobs}:virtual-time:${queue}`,
  /**
   * A sorted set of `runningMember`s, all scores 0: the jobs on one queue that have begun, have not ended and
   * are not parked.
   */
  running: (queue: QueueName) => `{jobs}:running:${queue}`,
  /** A sorted set: how many jobs each live worker runs at once, and until when it counts as live. */
  slots: (queue: QueueName) => `{jobs}:slots:${queue}`,
  /** A hash of ended jobs: what remains to be swept for each (`Sweep`). */
  sweeps: '{jobs}:sweeps',
  /** A sorted set by end time: the latest failed jobs on one queue, in all projects. */
  failed: (queue: QueueName) => `{jobs}:failed:${queue}`,
  /**
   * A sorted set by end time: a project's jobs that failed or were cancelled and have nothing left to sweep.
   */
  unsuccessful: (projectId: string) => `{jobs}:unsuccessful:${projectId}`,
  /** A hash: when each scheduled task last succeeded, in milliseconds since the epoch. */
  taskSuccesses: '{jobs}:task-successes',
  /** A hash: the last restore of the store from a copy (`Restore`). */
  restore: '{jobs}:restore',
  /** A sorted set: the processes that use the store, by when each has last said so. */
  storeUses: '{jobs}:store-uses',
  /** A stream: jobs that have ended or are held, until all readers have stored what follows. */
  outbox: '{jobs}:outbox',
  /** A hash: why no job of the store runs (`StoreHold`). */
  storeHold: '{jobs}:store-hold',
};

/** A resource within its project. Project ids contain no colon. */
export function resourceOf(projectId: string, resourceId: string): string {
  return `${projectId}:${resourceId}`;
}

/** The keys of scripts that report changes to the listeners of a project. */
export function changeKeys(projectId: string) {
  return {
    listening: jobKeys.listening(projectId),
    changes: jobKeys.changes(projectId),
    feed: jobKeys.feed,
  };
}
