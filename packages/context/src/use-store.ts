import { setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { sleep, toTimestamp } from '@gateway/core';
import type { StoreHold } from '@gateway/jobs';
import type { Dependencies } from './open-dependencies.ts';

type StoreUser = Pick<Dependencies, 'closers' | 'logger' | 'metrics' | 'redis' | 'storeUse'>;

const RETRY_MS = 1_000;
/** How long a process that stops waits until the store has noted it. */
const END_MS = 1_000;

/**
 * Says to the store, from now on, that this process uses it, and reports when jobs are held. Resolves once it
 * is known whether they are, or when the process stops. Waits while Redis is unavailable.
 */
export async function useStore(user: StoreUser, signal: AbortSignal): Promise<void> {
  const { closers, redis, storeUse } = user;
  if (signal.aborted) return;
  let timer: NodeJS.Timeout | undefined;
  let reported: StoreHold | null = null;
  async function renew(): Promise<void> {
    const hold = await storeUse.renew();
    if (hold?.heldAt !== reported?.heldAt) reportHold(user, hold);
    reported = hold;
  }
  const renewIfReady = () => {
    if (redis.isReady()) void renew().catch(() => {});
  };
  // Added before the first renewal: the process may stop while that is under way.
  closers.add('use of the store', async () => {
    clearInterval(timer);
    redis.store.off('ready', renewIfReady);
    await endStoreUse(user);
  });
  while (!signal.aborted) {
    try {
      await renew();
      break;
    } catch {
      await sleep(RETRY_MS, signal).catch(() => {});
    }
  }
  if (signal.aborted) return;
  timer = setInterval(renewIfReady, storeUse.renewMs);
  // What has come back may be another store.
  redis.store.on('ready', renewIfReady);
}

/** Takes back that this process uses the store: its last act there, as whoever starts next relies on it. */
export async function endStoreUse({
  redis,
  storeUse,
}: Pick<Dependencies, 'redis' | 'storeUse'>): Promise<void> {
  // Otherwise the process counts as dead.
  if (!redis.isReady()) return;
  // The timer does not keep the process from its exit once the store has noted it.
  const timeout = delay(END_MS, undefined, { ref: false });
  await Promise.race([storeUse.end().catch(() => {}), timeout]);
}

/** Resolves when jobs of the store run, at once if they are not held; also when the process stops. */
export async function untilJobsRun(
  { storeUse }: Pick<Dependencies, 'storeUse'>,
  signal: AbortSignal,
): Promise<void> {
  while (storeUse.hold !== null && !signal.aborted) await sleep(storeUse.renewMs, signal).catch(() => {});
}

function reportHold({ logger, metrics }: StoreUser, hold: StoreHold | null): void {
  metrics.storeHeld(hold !== null);
  if (hold === null) {
    logger.info('The store is no longer held: jobs run');
    return;
  }
  const { cause, heldAt, usedAt } = hold;
  logger.error(
    'The store may be an older copy, so none of its jobs runs: say with the command restore when it was copied, or let it continue',
    { cause, last_used_at: toTimestamp(usedAt), held_at: toTimestamp(heldAt) },
  );
}
