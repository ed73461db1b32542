import { readRequests } from '@gateway/jobs';
import type { JobContext } from './job-context.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Polls whether cancellation of the job was requested (`signal`), and whether it is to be held. Ignores
 * errors: the next check repeats a failed one.
 */
export function watchForCancel({ worker: context, jobId }: JobContext): {
  signal: AbortSignal;
  held: AbortSignal;
  stop(): void;
} {
  const cancelled = new AbortController();
  const held = new AbortController();
  let isChecking = false;
  const check = async () => {
    // While the store is unavailable, a check waits until it is back. One waiting check is enough.
    if (isChecking) return;
    isChecking = true;
    try {
      const { isCancelRequested, isHeld } = await readRequests(context.redis.store, jobId);
      if (isCancelRequested) cancelled.abort();
      if (isHeld) held.abort();
    } finally {
      isChecking = false;
    }
  };
  void check().catch(() => {});
  const timer = setInterval(() => void check().catch(() => {}), CHECK_INTERVAL_MS);
  return { signal: cancelled.signal, held: held.signal, stop: () => clearInterval(timer) };
}
