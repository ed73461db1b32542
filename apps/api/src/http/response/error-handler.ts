import type { OutgoingHttpHeader } from 'node:http';
import { type ErrorBody, type GatewayError, storeUnavailable, toGatewayError } from '@gateway/core';
import type { Logger } from '@gateway/platform';
import { isRedisUnavailable } from '@gateway/store';
import { addLocals, type GatewayResponse } from './gateway-response.ts';
import { endWithText, writeHeaders } from './headers.ts';
import { endAndDiscardRequest } from './unread-body.ts';

/** The body of every error response. */
export function errorBody(error: GatewayError, requestId: string): ErrorBody {
  return {
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.conflictReason && { reason: error.conflictReason }),
    ...(error.params && { params: error.params }),
    ...(error.errors && { errors: error.errors }),
    ...(error.jobId && { job_id: error.jobId }),
    ...(error.upstream && { upstream: error.upstream }),
    ...error.unfinishedLogIn,
  };
}

/** Default `Retry-After` of the statuses that always have the header. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Record<number, number>> = { 429: 60, 503: 5 };

/** Logs the error and sends it as a response. The only place that maps errors to HTTP. */
export function sendError(
  response: GatewayResponse,
  thrown: unknown,
  requestId: string,
  logger: Logger,
): void {
  const error = errorOf(thrown);
  addLocals(response, { errorCode: error.code });
  if (error.status >= 500) {
    logger[error.upstream === undefined && error.status === 500 ? 'error' : 'warn']('Request failed', {
      request_id: requestId,
      status: error.status,
      code: error.code,
      error,
    });
  }
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const headers: OutgoingHttpHeader[] = [
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json; charset=utf-8',
  ];
  const retryAfterSeconds = error.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS[error.status];
  if (retryAfterSeconds !== undefined) {
    headers.push('Retry-After', Math.max(1, Math.ceil(retryAfterSeconds)));
  }
  const body = JSON.stringify(errorBody(error, requestId));
  if (error.status === 413 && !response.req.complete) {
    writeHeaders(response, 413, [
      ...headers,
      'Connection',
      'close',
      'Content-Length',
      Buffer.byteLength(body),
    ]);
    endAndDiscardRequest(response, body);
    return;
  }
  endWithText(response, error.status, headers, body);
}

/** What a client learns of it. */
export function errorOf(thrown: unknown): GatewayError {
  return isRedisUnavailable(thrown) ? toStoreUnavailable(thrown) : toGatewayError(thrown);
}

function toStoreUnavailable(cause: unknown): GatewayError {
  return storeUnavailable('The store is not available right now. Please try again.', {
    cause,
    retryAfterSeconds: 5,
  });
}
