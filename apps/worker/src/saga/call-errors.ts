import { GatewayError } from '@gateway/core';
import { isConnectError, ServiceUserRefusedError } from '@gateway/openstack';

/** Statuses of refusals that do not depend on existing resources: caller, path, rate limit. */
const UNRELATED_REFUSALS = [401, 404, 405, 429];

/**
 * Whether the call may have taken effect: it timed out or broke. False for one that was refused or never
 * arrived.
 */
export function mayHaveActed(error: unknown): boolean {
  return (
    error instanceof GatewayError &&
    error.upstream !== undefined &&
    error.status >= 500 &&
    !isConnectError(error) &&
    !isOutOfReach(error) &&
    !(error instanceof ServiceUserRefusedError)
  );
}

/** Whether nothing was made: the service refused the call, or was not reached. */
export function isCallRefused(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream !== undefined && !mayHaveActed(error);
}

/** Whether the refusal may mean that an earlier call took effect. */
export function mayAlreadyExist(error: unknown): boolean {
  if (error instanceof ServiceUserRefusedError) return false;
  return isCallRefused(error) && !UNRELATED_REFUSALS.includes((error as GatewayError).status);
}

/** Whether the connection broke, so that the service may still carry the call out. */
export function hasNoResponse(error: unknown): boolean {
  return error instanceof GatewayError && error.upstream?.status === null;
}

/** The pause before a retry in ms; null for errors that a retry does not fix. */
export function retryDelayMs(error: unknown, defaultMs: number): number | null {
  if (!(error instanceof GatewayError) || error.upstream === undefined) return null;
  if (error instanceof ServiceUserRefusedError) return null;
  const isPassing =
    error.status === 429 || error.status === 503 || error.upstream.status === 503 || isOutOfReach(error);
  if (!isPassing) return null;
  const requestedMs = (error.retryAfterSeconds ?? 0) * 1000;
  return requestedMs > 0 ? requestedMs : defaultMs;
}

/**
 * A proxy has no way to the service at the moment, or the service has no such path: nothing was carried out.
 */
function isOutOfReach({ status, upstream }: GatewayError): boolean {
  return status === 502 && upstream?.status === 404;
}
