import { GatewayError } from '@gateway/core';
import { isConnectErrorCode } from './from-network-error.ts';
import { UpstreamError } from './upstream-error.ts';

export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.status === 404;
}

/** The state of a resource, or another resource, forbids the request. An exceeded quota is no conflict. */
export function isConflict(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.status === 409 && thrown.code !== 'quota_exceeded';
}

/** The record has changed since it was read, and the write required the revision that was read. */
export function isStale(thrown: unknown): boolean {
  return thrown instanceof UpstreamError && thrown.upstreamStatus === 412;
}

/** No connection to the service was made, so the call cannot have taken effect. */
export function isConnectError(thrown: unknown): boolean {
  return (
    thrown instanceof UpstreamError &&
    thrown.networkErrorCode !== null &&
    isConnectErrorCode(thrown.networkErrorCode)
  );
}

/** The service may have performed the call: it responded with a 5xx, or not at all. */
export function isUnanswered(thrown: unknown): boolean {
  return thrown instanceof UpstreamError && thrown.status >= 502 && !isConnectError(thrown);
}

/** A later attempt may succeed: too many requests, a 5xx response, no response, no connection. */
export function isTransient(thrown: unknown): thrown is UpstreamError {
  return thrown instanceof UpstreamError && (thrown.status === 429 || thrown.status >= 502);
}

/**
 * The service rejected the credential (401, 403 or 404). Another credential may work; a retry with
 * this credential does not. The 404 of the identity service for a log-in has become a 401; that of a proxy is
 * a 502.
 */
export function isCredentialRejected(thrown: unknown): thrown is UpstreamError {
  if (!(thrown instanceof UpstreamError)) return false;
  return [401, 403].includes(thrown.upstreamStatus ?? 0) || [401, 404].includes(thrown.status);
}

/** The result of a call; null for a 404. */
export async function nullIfNotFound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
