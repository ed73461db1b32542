import type { QueueName } from '@gateway/config';

/**
 * Keys of jobs. The braces put all of them into one slot of a Redis Cluster, because one script changes a
 * job's record, its log and the feed at once.
 */
export const jobKeys = {
  record: (jobId: string) => `{jobs}:${jobId}`,
  /** A list: event n of the job is its n-th element. */
  log: (jobId: string) => `{jobs}:${jobId}:log`,
  /** A hash: what each step of the saga intended and made. */
  journal: (jobId: string) => `{jobs}:${jobId}:journal`,
  /** A stream that carries the news of all jobs; a relay follows it with one blocking read. */
  feed: '{jobs}:feed',
  credential: (handle: string) => `{jobs}:credential:${handle}`,
  /** A sorted set by time of creation: the jobs of all projects that have not ended. */
  open: '{jobs}:open',
  /** A sorted set by time of creation: the jobs that members of a project see. */
  ofProject: (projectId: string) => `{jobs}:of:${projectId}`,
  /** A sorted set by time of creation: a project's jobs on one queue that have not begun. */
  waiting: (queue: QueueName, projectId: string) => `{jobs}:waiting:${queue}:${projectId}`,
  /** A set: a project's jobs on one queue that have begun, have not ended and are not parked. */
  running: (queue: QueueName, projectId: string) => `{jobs}:running:${queue}:${projectId}`,
  /** A hash of ended jobs: what each of them still has to be swept up, see `Sweep`. */
  sweeps: '{jobs}:sweeps',
};
