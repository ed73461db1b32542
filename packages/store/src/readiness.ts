import { Cluster } from 'ioredis';
import type { Redis } from './redis.ts';
import { probeWritesScript } from './scripts.ts';

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
export async function respondsWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  return (await answerWithin(redis, timeoutMs, () => redis.exists(PROBE_KEY))) !== null;
}

/** The reasons for which a server that answers refuses writes, by the first word of its error. */
const REFUSALS = {
  READONLY: 'read_only',
  OOM: 'memory',
  MISCONF: 'disk',
  NOREPLICAS: 'replicas',
} as const;

/** `read_only`: it is a replica. `disk`: it cannot save its data. `replicas`: too few are connected. */
export type WriteRefusal = (typeof REFUSALS)[keyof typeof REFUSALS] | 'other';

export const writeRefusals: readonly WriteRefusal[] = [...Object.values(REFUSALS), 'other'];

/**
 * Whether Redis accepts a write: a replica, and a server with full memory or disk, responds to reads but
 * refuses writes. Returns `silent` without an answer in time.
 */
export async function probeWrites(
  redis: Redis,
  timeoutMs: number,
): Promise<'accepted' | 'silent' | WriteRefusal> {
  const probe = () => probeWritesScript.run(redis, { probe: PROBE_KEY }, { forMs: PROBE_TTL_MS });
  const error = await answerWithin(redis, timeoutMs, probe);
  if (error === null) return 'silent';
  if (error === '') return 'accepted';
  const [code = ''] = String(error).replace(/^-/, '').split(' ', 1);
  return code in REFUSALS ? REFUSALS[code as keyof typeof REFUSALS] : 'other';
}

/** Null after an error, or without an answer in time. */
async function answerWithin(
  redis: Redis,
  timeoutMs: number,
  command: () => Promise<unknown>,
): Promise<unknown> {
  if (redis.status !== 'ready') return null;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  const answer = command().catch(() => null);
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
