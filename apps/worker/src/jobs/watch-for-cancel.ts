import { isCancelRequested } from '@gateway/jobs';
import type { JobFacts } from './job-run.ts';

const CANCEL_LOOK_MS = 1_000;

/** Looks now and then whether somebody asked the job to stop; a look that fails is simply the next one's. */
export function watchForCancel({ context, jobId }: JobFacts): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let isLooking = false;
  const look = async () => {
    // A store that is away keeps each look waiting until it is back: one is enough for a long outage.
    if (isLooking) return;
    isLooking = true;
    try {
      if (await isCancelRequested(context.redis.store, jobId)) controller.abort();
    } finally {
      isLooking = false;
    }
  };
  void look().catch(() => {});
  const timer = setInterval(() => void look().catch(() => {}), CANCEL_LOOK_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
