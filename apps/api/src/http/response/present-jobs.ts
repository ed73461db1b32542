import type { Config } from '@gateway/config';
import type { Clock } from '@gateway/core';
import { type JobRecord, presentJob, queuedEnds } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/redis';

interface Parts {
  config: Pick<Config, 'jobs'>;
  clock: Clock;
  redis: Pick<RedisConnections, 'store'>;
}

type PresentedJob = ReturnType<typeof presentJob>;

/** Jobs as the interface shows them now, with the estimated ends of those that are queued. */
export async function presentJobs(
  { clock, config, redis }: Parts,
  jobs: readonly JobRecord[],
): Promise<PresentedJob[]> {
  const now = clock.now();
  const runningLimit = config.jobs.projectRunningLimit;
  const ends = await queuedEnds(redis.store, jobs, { now, runningLimit });
  return jobs.map((job) => presentJob(job, now, ends.get(job.id) ?? null));
}

export async function presentOneJob(parts: Parts, job: JobRecord): Promise<PresentedJob> {
  const [presented] = await presentJobs(parts, [job]);
  return presented as PresentedJob;
}
