import { Cluster } from 'ioredis';
import type { Redis } from './redis.ts';

/** In the slot of the jobs in a Cluster. */
const PROBE_KEY = '{jobs}:probe';
const PROBE_TTL_MS = 10_000;

/** Resolves with true when the connection accepts commands, or with false after `timeoutMs`. */
export async function waitUntilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  if (!(await isReadyWithin(redis, timeoutMs))) return false;
  if (!(redis instanceof Cluster)) return true;
  const nodes = redis.nodes('master');
  const ready = await Promise.all(nodes.map((node) => isReadyWithin(node, deadline - Date.now())));
  return ready.every((isReady) => isReady);
}

/** As `waitUntilReady`, but says nothing of the nodes of a Cluster. */
export function isReadyWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
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

/** True when Redis responds to a read in time. */
export function respondsWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  return succeedsWithin(redis, timeoutMs, () => redis.exists(PROBE_KEY));
}

/**
 * True when Redis accepts a write in time. A replica, and a server with full memory or disk, responds to
 * reads but rejects writes.
 */
export function acceptsWritesWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  return succeedsWithin(redis, timeoutMs, () => redis.set(PROBE_KEY, '1', 'PX', PROBE_TTL_MS));
}

async function succeedsWithin(
  redis: Redis,
  timeoutMs: number,
  command: () => Promise<unknown>,
): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const success = command().then(
    () => true,
    () => false,
  );
  return Promise.race([success, timeout]).finally(() => clearTimeout(timer));
}
