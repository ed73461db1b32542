import { GatewayError, routeNotFound } from '@gateway/core';
import { isChosenId } from '../http/schemas/fields.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** Matches the names of literal paths, and no id that a service generates. */
const WORDS = /^[a-z]{3,}(?:[-_][a-z]+)*$/;

/**
 * The error of a request for a resource that does not exist. `/api/clusters/certificates` is not read as
 * the id of a cluster: `route_not_found` shows clients which endpoints a release lacks.
 */
export function orUnknownRoute(
  { path }: AnyEndpoint,
  params: Record<string, unknown>,
  error: unknown,
): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'not_found') return error;
  const name = /:(\w+_id)$/.exec(path)?.[1];
  if (name === undefined || isChosenId(name) || !WORDS.test(String(params[name]))) return error;
  return routeNotFound('There is nothing at this address.', { cause: error });
}
