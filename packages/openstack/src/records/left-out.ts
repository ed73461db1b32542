import { AsyncLocalStorage } from 'node:async_hooks';
import { GatewayError } from '@gateway/core';

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

/**
 * Runs reads that decide what may be removed.
 *
 * @throws 502 if rows were left out of any list among them
 */
export async function readWholeLists<T>(run: () => Promise<T>): Promise<T> {
  const { result, leftOut } = await watchLeftOut(run);
  if (!leftOut) return result;
  const detail = 'The cloud has sent rows that cannot be read, so it is not known what is still there.';
  throw new GatewayError(502, 'upstream_error', detail);
}
