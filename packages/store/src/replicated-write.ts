import type { ChainableCommander } from 'ioredis';
import { isRedisUnavailable } from './is-redis-unavailable.ts';
import type { Redis } from './redis.ts';
import type { RedisRetryPolicy } from './settings.ts';

/** Adds the commands of a write to a pipeline. All their keys must be in one slot. */
type AddCommands = (pipeline: ChainableCommander) => ChainableCommander;

type ReplicatedWrite = (redis: Redis, key: string, write: AddCommands) => Promise<unknown>;

interface ReplicatedWriteOptions {
  /** Number of replicas to wait for. */
  replicas: number;
  retryPolicy: RedisRetryPolicy;
  /** Called when replicas stop acknowledging in time, once per outage. */
  onUnacknowledged?(): void;
  /** Called when replicas acknowledge in time again. */
  onAcknowledged?(): void;
}

type Reply = [error: Error | null, result: unknown];

const WAIT_MS = 200;
/**
 * The timeout while replicas do not acknowledge, because later commands on the
 * connection wait for each `WAIT`.
 */
const OUTAGE_WAIT_MS = 20;

/** How a connection sends replicated writes, if it was opened to wait for replicas. */
const waitingWrites = new WeakMap<Redis, ReplicatedWrite>();

/**
 * Sends a write that a failover must not lose, and returns the result of its last command. Waits until as
 * many replicas have acknowledged it (`WAIT`) as the connection was opened to wait for. If the replicas
 * exceed the time limit, the write is still valid. `key` is one of the written keys.
 *
 * The write must be idempotent: with a connection that retries, it is sent again if the connection breaks
 * between the reply and the acknowledgement. A write that only reads waits for the earlier writes of the same
 * connection to the slot of `key`.
 */
export function replicatedWrite(redis: Redis, key: string, write: AddCommands): Promise<unknown> {
  return (waitingWrites.get(redis) ?? unreplicatedWrite)(redis, key, write);
}

/** Determines how a connection sends replicated writes. */
export function setReplicatedWrite(redis: Redis, write: ReplicatedWrite): void {
  waitingWrites.set(redis, write);
}

export function createReplicatedWrite(options: ReplicatedWriteOptions): ReplicatedWrite {
  const { replicas, retryPolicy } = options;
  let isOutage = false;

  function trackOutage(acknowledged: number): void {
    const isLate = acknowledged < replicas;
    if (isLate === isOutage) return;
    isOutage = isLate;
    if (isLate) options.onUnacknowledged?.();
    else options.onAcknowledged?.();
  }

  /** Sends `WAIT` in the same pipeline, so that it reaches the node that holds the written keys. */
  async function sendWithWait(
    redis: Redis,
    write: AddCommands,
  ): Promise<{ written: Reply[]; waited: Reply }> {
    const pipeline = write(redis.pipeline()).wait(replicas, isOutage ? OUTAGE_WAIT_MS : WAIT_MS);
    const replies = (await pipeline.exec()) ?? [];
    return { written: replies.slice(0, -1), waited: replies.at(-1) ?? [null, 0] };
  }

  return async (redis, key, write) => {
    for (;;) {
      let { written, waited } = await sendWithWait(redis, write);
      if (isWrongNode(written)) {
        // The `WAIT` reached the wrong node. ioredis follows redirections only for a write without `WAIT`.
        written = (await write(redis.pipeline()).exec()) ?? [];
        const later = await sendWithWait(redis, (pipeline) => pipeline.exists(key));
        waited = isWrongNode(later.written) ? [null, 0] : later.waited;
      }
      const result = lastResult(written);
      const [error, acknowledged] = waited;
      if (error === null) {
        trackOutage(Number(acknowledged));
        return result;
      }
      // A new primary may lack the write.
      if (retryPolicy === 'fail-fast' || !isRedisUnavailable(error)) throw error;
    }
  };
}

/** Does not wait for replicas. */
export async function unreplicatedWrite(redis: Redis, _key: string, write: AddCommands): Promise<unknown> {
  return lastResult(await write(redis.pipeline()).exec());
}

/** True when a Cluster node rejected a slot that it does not serve, or does not serve yet. */
function isWrongNode(replies: readonly Reply[]): boolean {
  return replies.some(([error]) => /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /.test(error?.message ?? ''));
}

function lastResult(replies: readonly Reply[] | null): unknown {
  for (const [error] of replies ?? []) if (error !== null) throw error;
  return replies?.at(-1)?.[1];
}
