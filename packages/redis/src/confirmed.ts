import type { ChainableCommander } from 'ioredis';
import { isRedisAway } from './away.ts';
import type { Redis } from './client.ts';
import type { RedisPatience } from './settings.ts';

/** Puts the commands of a write into a pipeline; all of them on keys of one slot. */
export type Write = (pipeline: ChainableCommander) => ChainableCommander;

/**
 * Sends a write and gives its result (that of its last command) once as many replicas have it as are configured.
 * Replicas that take too long are not waited for: the write counts all the same. `key` is one that it writes.
 *
 * The write must bear being sent twice: it is when the connection, one that waits, breaks between the answer and
 * the replicas' word. A write of commands that only read confirms what was written before it over the same
 * connection to the slot of `key`.
 */
export type Confirmed = (redis: Redis, key: string, write: Write) => Promise<unknown>;

export interface ConfirmOptions {
  /** How many replicas; 0 to wait for none. */
  replicas: number;
  patience: RedisPatience;
  /** Replicas do not confirm in time, or do so again; once each per outage. */
  onUnconfirmed?(): void;
  onConfirmed?(): void;
}

type Answer = [failure: Error | null, result: unknown];

const PATIENCE_MS = 200;
/** Once replicas have kept a write waiting: what follows on the connection queues behind each wait. */
const OUTAGE_PATIENCE_MS = 20;

export function createConfirmed(options: ConfirmOptions): Confirmed {
  const { replicas, patience } = options;
  let isOutage = false;

  function note(acknowledged: number): void {
    const isMissed = acknowledged < replicas;
    if (isMissed === isOutage) return;
    isOutage = isMissed;
    if (isMissed) options.onUnconfirmed?.();
    else options.onConfirmed?.();
  }

  /** On the same connection right behind the write, which takes both to the node of the write's keys. */
  async function sendWithWait(redis: Redis, write: Write): Promise<{ written: Answer[]; waited: Answer }> {
    const pipeline = write(redis.pipeline()).wait(replicas, isOutage ? OUTAGE_PATIENCE_MS : PATIENCE_MS);
    const answers = (await pipeline.exec()) ?? [];
    return { written: answers.slice(0, -1), waited: answers.at(-1) ?? [null, 0] };
  }

  return async (redis, key, write) => {
    if (replicas === 0) return lastResult(await write(redis.pipeline()).exec());
    for (;;) {
      let { written, waited } = await sendWithWait(redis, write);
      if (isElsewhere(written)) {
        // The wait was answered where the slot is not: the client follows a write only when it is by itself.
        written = (await write(redis.pipeline()).exec()) ?? [];
        const later = await sendWithWait(redis, (pipeline) => pipeline.exists(key));
        waited = isElsewhere(later.written) ? [null, 0] : later.waited;
      }
      const result = lastResult(written);
      const [failure, acknowledged] = waited;
      if (failure === null) {
        note(Number(acknowledged));
        return result;
      }
      // Whoever is the primary now may not have the write.
      if (patience === 'fail-fast' || !isRedisAway(failure)) throw failure;
    }
  };
}

/** Waits for no replica. */
export const unconfirmed: Confirmed = createConfirmed({ replicas: 0, patience: 'wait' });

/** True when a node of a Cluster has refused a slot that it does not, or not yet, answer for. */
function isElsewhere(answers: readonly Answer[]): boolean {
  return answers.some(([failure]) => /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /.test(failure?.message ?? ''));
}

function lastResult(answers: readonly Answer[] | null): unknown {
  for (const [failure] of answers ?? []) if (failure !== null) throw failure;
  return answers?.at(-1)?.[1];
}
