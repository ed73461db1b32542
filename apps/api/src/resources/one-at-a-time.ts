import { conflict } from '@gateway/core';
import type { RequestContext } from '../pipeline/request-context.ts';

/** Changes that run one at a time take far less time. */
const WAIT_MS = 30_000;

/**
 * Runs a change that is only valid for the state in which the resource was read. Other changes of the
 * resource wait, in all api processes. See decision 61.
 *
 * @param resource kind and id, as `network:<id>`
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
    throw conflict('busy', 'Another request is changing the same resource. Please try again in a moment.');
  }
}
