import type { Clock } from '@gateway/core';
import type { Intents, StoredIntent } from './intents.ts';

interface SettleOptions<Intent> {
  clock: Clock;
  /** How long a call may take effect after its sender died. By then, its request has ended as well. */
  lateCallMs: number;
  /** How long to search for results of calls with an unknown outcome. */
  recheckMs: number;
  stopping?: AbortSignal;
  /** Whether nothing can be left of what was created. */
  isOver?(intent: Intent, now: number): boolean;
  /** Removes what was created and nobody uses. Returns false to be asked again. */
  removeUnused(intent: Intent, stored: StoredIntent): Promise<boolean>;
  /**
   * Called with each error, and the intent if it can be read; the others are still settled. Without it, the
   * first error is thrown.
   */
  onError?: ((error: unknown, intent: Intent | null) => void) | undefined;
}

/**
 * Removes what was created for intents that were not completed in time, and then the intents. An intent that
 * this release cannot read stays: a newer release settles it.
 */
export async function settleIntents<Intent extends { since: number }>(
  intents: Intents<Intent>,
  { clock, isOver, lateCallMs, onError, recheckMs, removeUnused, stopping }: SettleOptions<Intent>,
): Promise<void> {
  for (const { parse, stored } of await intents.readStored()) {
    if (stopping?.aborted) return;
    let intent: Intent | null = null;
    try {
      intent = parse();
      // Only a search that starts after the deadline sees everything that a late call has created.
      const now = clock.now();
      if (isOver?.(intent, now)) {
        await intents.remove(stored.id);
      } else if (now >= intent.since + lateCallMs && (await removeUnused(intent, stored))) {
        if (now >= intent.since + recheckMs) await intents.remove(stored.id);
      }
    } catch (error) {
      if (onError === undefined) throw error;
      onError(error, intent);
    }
  }
}
