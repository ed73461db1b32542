import { Cluster } from 'ioredis';
import type { Redis } from './client.ts';

/** In a Cluster, the slot that the jobs are in. */
const PROBE_KEY = '{jobs}:probe';
const PROBE_TTL_MS = 10_000;

/** Resolves when the connection takes commands, or with false when `timeoutMs` have passed. */
export async function waitUntilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  if (!(await statusReadyWithin(redis, timeoutMs))) return false;
  if (!(redis instanceof Cluster)) return true;
  const nodes = redis.nodes('master');
  const ready = await Promise.all(nodes.map((node) => statusReadyWithin(node, deadline - Date.now())));
  return ready.every((isReady) => isReady);
}

function statusReadyWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(false), timeoutMs);
    const onReady = () => finish(true);
    function finish(ready: boolean) {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(ready);
    }
    redis.once('ready', onReady);
  });
}

/** True when Redis answers in time; a Redis that hangs counts as away. */
export function answersWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  return succeedsWithin(redis, timeoutMs, () => redis.exists(PROBE_KEY));
}

/** True when Redis takes a write in time: a replica, a full memory or a full disk refuse writes and still answer reads. */
export function takesWritesWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  return succeedsWithin(redis, timeoutMs, () => redis.set(PROBE_KEY, '1', 'PX', PROBE_TTL_MS));
}

async function succeedsWithin(
  redis: Redis,
  timeoutMs: number,
  command: () => Promise<unknown>,
): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const answer = command().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
