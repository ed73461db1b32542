import { conflict } from '@gateway/core';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The changes that go one at a time take far less time. */
const WAIT_MS = 30_000;

/**
 * Runs a change of a resource that is only right for the state in which it has found the resource. Other
 * requests' changes of it, at any api process, wait. See decision 61.
 *
 * @param resource what and which, as `network:<id>`
 * @throws 409 if the changes before it take too long
 */
export async function oneAtATime<T>(
  { app }: RequestContext,
  resource: string,
  change: () => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([AbortSignal.timeout(WAIT_MS), app.waitAbort.signal]);
  try {
    return await app.locks.run(resource, signal, change);
  } catch (error) {
    if (error !== signal.reason) throw error;
    throw conflict('Another request is changing the same resource. Please try again in a moment.');
  }
}
