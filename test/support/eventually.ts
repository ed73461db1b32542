import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 100;

/**
 * Waits until `check` neither throws nor gives undefined, and gives what it gave; after `timeoutMs` the last
 * failure stands.
 */
export async function eventually<T>(check: () => Promise<T | undefined>, timeoutMs = 60_000): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown = new Error('The condition did not come about in time.');
    try {
      const result = await check();
      if (result !== undefined) return result;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) throw failure;
    await pause(EVERY_MS);
  }
}
