import { invalidInput } from '@gateway/core';
import { UpstreamError } from '../errors/index.ts';

/** A creation of a cluster that names a missing resource is invalid, even if the service answers 404. */
export function explainMissingInCluster(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || error.status !== 404) return error;
  return invalidInput(error.message, { cause: error, upstream: error.upstream });
}
