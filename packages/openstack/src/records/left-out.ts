import { AsyncLocalStorage } from 'node:async_hooks';

interface Watch {
  leftOut: boolean;
  outer: Watch | undefined;
}

const watches = new AsyncLocalStorage<Watch>();

/**
 * Runs reads, and returns whether rows were left out of any list among them because they cannot be read.
 * What a list was read for learns it in this way, through all layers in between: a response says so, and a
 * cached list keeps it for its later readers.
 */
export async function watchLeftOut<T>(run: () => Promise<T>): Promise<{ result: T; leftOut: boolean }> {
  const watch: Watch = { leftOut: false, outer: watches.getStore() };
  const result = await watches.run(watch, run);
  return { result, leftOut: watch.leftOut };
}

/** A row was left out, now or when what is read here was stored. */
export function noteLeftOut(): void {
  for (let watch = watches.getStore(); watch !== undefined; watch = watch.outer) watch.leftOut = true;
}
