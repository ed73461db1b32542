import type { Redis } from '@gateway/store';
import { isKnownJobType, jobTypes } from '../catalog/catalog.ts';
import { UsualDurations } from '../estimates/usual-durations.ts';
import { slotsOf } from '../fairness/worker-slots.ts';
import { jobKeys } from '../keys.ts';
import type { RunningLimits } from '../queues/queues.ts';
import type { JobRecord } from '../records/job-record.ts';

interface QueueState {
  now: number;
  runningLimits: RunningLimits;
}

/**
 * When jobs that are queued usually end, by id, in milliseconds since the epoch: by how many wait before
 * them, as if those held their slots as long as jobs of their own type. Absent if that is not known, as for a
 * job of a type that only a newer gateway has. Reads nothing if no job is queued.
 */
export async function queuedEnds(
  redis: Redis,
  jobs: readonly JobRecord[],
  state: QueueState,
): Promise<ReadonlyMap<string, number>> {
  const byType = Map.groupBy(
    jobs.filter(({ status }) => status === 'queued'),
    ({ type }) => type,
  );
  const ends = await Promise.all([...byType].map(([type, ofType]) => endsOf(redis, type, ofType, state)));
  return new Map(ends.flat());
}

async function endsOf(
  redis: Redis,
  type: string,
  jobs: readonly JobRecord[],
  { now, runningLimits }: QueueState,
): Promise<[id: string, endsAt: number][]> {
  if (!isKnownJobType(type)) return [];
  const { queue } = jobTypes[type];
  const [durations, registrations, running] = await Promise.all([
    UsualDurations.read(redis, type),
    redis.zrange(jobKeys.slots(queue), 0, '-1', 'WITHSCORES'),
    redis.zcard(jobKeys.running(queue)),
  ]);
  const usual = durations.whole();
  const slots = slotsOf(registrations, now).reduce((sum, count) => sum + count, 0);
  if (usual === null || slots === 0) return [];
  const waits = await Promise.all(
    jobs.map(async ({ id, projectId }) => {
      const [inQueue, inProject] = await Promise.all([
        redis.zrank(jobKeys.ready(queue), id),
        redis.zrank(jobKeys.blocked(queue, projectId), id),
      ]);
      // So many jobs must end first, of so many that run at once.
      if (inQueue !== null) return Math.max(0, running + inQueue + 1 - slots) / slots;
      return inProject === null ? 0 : (inProject + 1) / Math.max(1, runningLimits[queue]);
    }),
  );
  return jobs.map(({ id }, index) => [id, now + (waits[index] ?? 0) * usual.heldMs + usual.totalMs]);
}
