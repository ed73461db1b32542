import { setTimeout as pause } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 300;

/**
 * Polls `check` until it returns a value other than undefined and false, and returns the value.
 * @throws the last error after `timeoutMs`
 */
export async function eventually<T>(
  check: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    let failure: unknown = new Error('The condition did not come about in time.');
    try {
      const result = await check();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      failure = error;
    }
    const waitedMs = Date.now() - began;
    if (waitedMs > timeoutMs) throw failure;
    // What takes long may be noticed later: all suites poll while they wait for processes of each other.
    await pause(Math.min(Math.max(waitedMs / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}
