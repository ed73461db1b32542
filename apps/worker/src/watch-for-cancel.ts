import { isCancelRequested } from '@gateway/jobs';
import type { JobFacts } from './job-run.ts';

const CANCEL_LOOK_MS = 1_000;

/** Looks now and then whether somebody asked the job to stop; a look that fails is simply the next one's. */
export function watchForCancel({ context, jobId }: JobFacts): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const look = async () => {
    if (await isCancelRequested(context.redis.store, jobId)) controller.abort();
  };
  void look().catch(() => {});
  const timer = setInterval(() => void look().catch(() => {}), CANCEL_LOOK_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
