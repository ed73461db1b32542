import {
  type ConflictReason,
  type ErrorParams,
  type FieldError,
  GatewayError,
  type UpstreamInfo,
} from '@gateway/core';
import { Reply } from '../response/results.ts';

/** A handler's result as stored for replays, without what belongs to one request only. */
export type StoredResponse = { status: number; body: unknown } | { error: StoredError };

interface StoredError {
  status: number;
  code: string;
  detail: string;
  reason?: ConflictReason;
  params?: ErrorParams;
  errors?: FieldError[];
  jobId?: string;
  upstream?: UpstreamInfo;
}

/** `status` is the status that the endpoint declares. */
export function toStoredResponse(result: unknown, status: number): StoredResponse {
  return result instanceof Reply ? { status: result.status, body: result.body } : { status, body: result };
}

/**
 * Null for errors that are not stored because a repeat may succeed: errors of the gateway and of services,
 * exceeded limits, and refused passwords or tokens.
 */
export function toStoredError(thrown: unknown): StoredResponse | null {
  if (!(thrown instanceof GatewayError)) return null;
  const { status, code, message, conflictReason: reason, params, errors, jobId, upstream } = thrown;
  if (status >= 500 || status === 429 || status === 401) return null;
  return { error: { status, code, detail: message, reason, params, errors, jobId, upstream } };
}

/** Returns the stored result, or throws the stored error. */
export function replay(stored: StoredResponse): Reply {
  if (!('error' in stored)) return new Reply(stored.status, stored.body);
  const { status, code, detail, ...rest } = stored.error;
  throw new GatewayError(status, code, detail, rest);
}
