import { invalidInput } from '@gateway/core';
import { isNotFound } from './predicates.ts';
import { UpstreamError } from './upstream-error.ts';

/** The error for something that the request names and that does not exist. */
export function requestedNotFound(field: string, what: string) {
  return invalidInput(`${what} was not found.`, {
    errors: [{ field: `body.${field}`, message: 'was not found' }],
  });
}

/** The caller gets the same error, not found, for a malformed and an unknown id. */
export async function readRequested<T>(read: Promise<T>, field: string, what: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isNoSuchThing = isNotFound(error) || (error instanceof UpstreamError && error.status === 400);
    throw isNoSuchThing ? requestedNotFound(field, what) : error;
  }
}
