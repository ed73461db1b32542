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
};
