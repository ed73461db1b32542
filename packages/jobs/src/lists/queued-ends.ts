import type { QueueName } from '@gateway/config';
import type { Redis } from '@gateway/redis';
import { isKnownJobType, jobTraits } from '../catalog/job-traits.ts';
import { type QueueState, simulateQueue } from '../estimates/simulate-queue.ts';
import { UsualDurations } from '../estimates/usual-durations.ts';
import { jobKeys } from '../keys.ts';
import { type JobRecord, readJob } from '../records/job-record.ts';

/** How many jobs of a queue are read at most. The ends of those that wait behind them are not known. */
const MAX_READ = 200;

type Usual = ReadonlyMap<string, ReturnType<UsualDurations['whole']>>;

/**
 * When jobs that are queued usually end, by id, in milliseconds since the epoch: by what waits before them,
 * and how long the last jobs of each type took. Absent if that is not known, as for a job of a type that only
 * a newer gateway has. Reads nothing if no job is queued.
 *
 * @param runningLimit the maximum number of running jobs of one project; 0 for none
 */
export async function queuedEnds(
  redis: Redis,
  jobs: readonly JobRecord[],
  { now, runningLimit }: { now: number; runningLimit: number },
): Promise<ReadonlyMap<string, number>> {
  const queued = jobs.filter(({ status }) => status === 'queued');
  const types = queued.map(({ type }) => type).filter(isKnownJobType);
  const queues = [...new Set(types.map((type) => jobTraits[type].queue))];
  const ends = await Promise.all(queues.map((queue) => endsIn(redis, queue, { now, runningLimit })));
  return new Map(ends.flatMap((ofQueue) => [...ofQueue]));
}

async function endsIn(
  redis: Redis,
  queue: QueueName,
  { now, runningLimit }: { now: number; runningLimit: number },
): Promise<Map<string, number>> {
  const [slots, served, running, waiting] = await Promise.all([
    redis.zrangebyscore(jobKeys.slots(queue), now, '+inf'),
    redis.zrange(jobKeys.lastServed(queue), 0, '-1', 'WITHSCORES'),
    readRunning(redis, queue),
    readWaiting(redis, queue),
  ]);
  const usual = await readUsual(redis, [...running, ...waiting]);
  const state: QueueState = {
    slots: slots.reduce((sum, member) => sum + Number.parseInt(member, 10), 0),
    runningLimit,
    running: running.map((job) => ({ projectId: job.projectId, leftMs: leftOf(job, usual, now) })),
    waiting: waiting.map(({ id, projectId, type }) => ({
      id,
      projectId,
      heldMs: usual.get(type)?.heldMs ?? null,
    })),
    lastServed: scoresIn(served),
  };
  const begins = simulateQueue(state, now);
  return new Map(
    waiting.flatMap(({ id, type }) => {
      const [begin, whole] = [begins.get(id), usual.get(type)];
      return begin === undefined || whole == null ? [] : [[id, begin + whole.totalMs]];
    }),
  );
}

/** For how long a job still holds its slot. One that has been parked has held it before, too. */
function leftOf({ heldMs, startedAt, type }: JobRecord, usual: Usual, now: number): number | null {
  const whole = usual.get(type) ?? null;
  if (whole === null) return null;
  const held = heldMs > 0 ? heldMs : now - (startedAt ?? now);
  return Math.max(0, whole.heldMs - held);
}

async function readRunning(redis: Redis, queue: QueueName): Promise<JobRecord[]> {
  const members = await redis.zrange(jobKeys.running(queue), 0, String(MAX_READ - 1));
  const ids = members.map((member) => member.slice(member.lastIndexOf('/') + 1));
  return (await readAll(redis, ids)).filter(({ status }) => status === 'running');
}

/** The oldest jobs of each project, oldest first; none if too many projects have some. */
async function readWaiting(redis: Redis, queue: QueueName): Promise<JobRecord[]> {
  const projects = await redis.smembers(jobKeys.waitingProjects(queue));
  if (projects.length > MAX_READ) return [];
  const last = String(Math.floor(MAX_READ / projects.length) - 1);
  const ids = await Promise.all(
    projects.map((project) => redis.zrange(jobKeys.waiting(queue, project), 0, last)),
  );
  const jobs = await readAll(redis, ids.flat());
  return jobs.filter(({ status }) => status === 'queued').sort((a, b) => a.createdAt - b.createdAt);
}

async function readAll(redis: Redis, ids: readonly string[]): Promise<JobRecord[]> {
  const found = await Promise.all(ids.map((id) => readJob(redis, id)));
  return found.filter((job) => job !== null);
}

async function readUsual(redis: Redis, jobs: readonly JobRecord[]): Promise<Usual> {
  const types = [...new Set(jobs.map(({ type }) => type))];
  const read = types.map(async (type) => [type, (await UsualDurations.read(redis, type)).whole()] as const);
  return new Map(await Promise.all(read));
}

/** Members and scores, as the store returns them. */
function scoresIn(pairs: readonly string[]): Map<string, number> {
  const members = pairs.filter((_, index) => index % 2 === 0);
  return new Map(members.map((member, index) => [member, Number(pairs[index * 2 + 1])]));
}
