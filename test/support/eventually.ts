import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 100;

/**
 * Polls `check` until it returns a value other than undefined, and returns the value.
 * @throws the last error after `timeoutMs`
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
