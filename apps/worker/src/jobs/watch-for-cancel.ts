import { isCancelRequested } from '@gateway/jobs';
import type { JobContext } from './job-context.ts';

const CHECK_INTERVAL_MS = 1_000;

/**
 * Polls whether cancellation of the job was requested. Ignores errors: the next check repeats a failed one.
 */
export function watchForCancel({ worker: context, jobId }: JobContext): {
  signal: AbortSignal;
  stop(): void;
} {
  const controller = new AbortController();
  let isChecking = false;
  const check = async () => {
    // While the store is unavailable, a check waits until it is back. One waiting check is enough.
    if (isChecking) return;
    isChecking = true;
    try {
      if (await isCancelRequested(context.redis.store, jobId)) controller.abort();
    } finally {
      isChecking = false;
    }
  };
  void check().catch(() => {});
  const timer = setInterval(() => void check().catch(() => {}), CHECK_INTERVAL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
