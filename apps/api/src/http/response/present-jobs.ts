import type { Clock } from '@gateway/core';
import { type JobRecord, presentJob, type Queues, queuedEnds } from '@gateway/jobs';
import type { RedisConnections } from '@gateway/store';

interface Parts {
  clock: Clock;
  queues: Pick<Queues, 'runningLimits'>;
  redis: Pick<RedisConnections, 'store'>;
}

type PresentedJob = ReturnType<typeof presentJob>;

/** Jobs as the interface shows them now, with the estimated ends of those that are queued. */
export async function presentJobs(
  { clock, queues, redis }: Parts,
  jobs: readonly JobRecord[],
): Promise<PresentedJob[]> {
  const now = clock.now();
  const ends = await queuedEnds(redis.store, jobs, { now, runningLimits: queues.runningLimits });
  return jobs.map((job) => presentJob(job, now, ends.get(job.id) ?? null));
}

export async function presentOneJob(parts: Parts, job: JobRecord): Promise<PresentedJob> {
  const [presented] = await presentJobs(parts, [job]);
  return presented as PresentedJob;
}
