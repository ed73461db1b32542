import { MAX_TIMER_MS } from './event-stream.ts';

/** The part of a browser's page that says whether somebody can see it. */
interface VisiblePage {
  hidden: boolean;
  addEventListener(type: 'visibilitychange', listener: () => void, options: { signal: AbortSignal }): void;
}

/** Calls `then` when the page has been hidden for some time, unless the signal is aborted before. */
export function hiddenFor(ms: number, signal: AbortSignal, then: () => void): void {
  const page = thisPage();
  if (page === undefined || ms === Number.POSITIVE_INFINITY) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(then, Math.min(ms, MAX_TIMER_MS));
  };
  page.addEventListener('visibilitychange', start, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  start();
}

/** Resolves when the page is not hidden, or the signal is aborted. */
export function shown(signal: AbortSignal): Promise<void> {
  const page = thisPage();
  return new Promise((resolve) => {
    if (!page?.hidden) return resolve();
    page.addEventListener('visibilitychange', () => page.hidden || resolve(), { signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Undefined outside of browsers, and in workers. */
function thisPage(): VisiblePage | undefined {
  return (globalThis as { document?: VisiblePage }).document;
}
