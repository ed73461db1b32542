import type { ServiceName } from '@gateway/platform';
import { TimeoutError } from 'got';
import { CONNECT_TIMEOUT_CODE } from '../connect-timeout.ts';
import { serviceTitles } from '../service-titles.ts';
import { badGateway, UpstreamError, type UpstreamErrorDetails } from './upstream-error.ts';

export interface NetworkError {
  /**
   * - `connect`: no connection was made, so the service cannot have received the request.
   * - `connection_lost`: the service may have received and performed the request.
   * - `timeout`: no response in time.
   * - `invalid_response`: the response was not HTTP.
   */
  kind: 'connect' | 'connection_lost' | 'timeout' | 'invalid_response';
  code: string;
}

const RETRY_AFTER_SECONDS = 5;
/** The proxy did not open a tunnel. */
const NO_TUNNEL = 'ERR_PROXY_TUNNEL';
/** The call has waited too long in this process's queue. */
const NOT_SENT = 'ENOTSENT';
const CONNECT_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  CONNECT_TIMEOUT_CODE,
  NO_TUNNEL,
  NOT_SENT,
]);

/**
 * Classifies an error thrown by got. Only its code is kept: the thrown error contains the request with its
 * headers, and must not leave the transport.
 */
export function classifyNetworkError(thrown: unknown): NetworkError {
  if (thrown instanceof TimeoutError) return { kind: 'timeout', code: 'ETIMEDOUT' };
  const code = codeOf(thrown);
  if (isConnectErrorCode(code)) return { kind: 'connect', code };
  if (code.startsWith('HPE_')) return { kind: 'invalid_response', code };
  return { kind: 'connection_lost', code };
}

/** Whether the code means that no connection was made. */
export function isConnectErrorCode(code: string): boolean {
  return CONNECT_ERROR_CODES.has(code);
}

/**
 * The error for a call without an HTTP response: 504 after a timeout, 502 for an invalid response, else 503.
 */
export function errorFromNetworkError(
  { service, operation }: { service: ServiceName; operation: string },
  { kind, code }: NetworkError,
): UpstreamError {
  const title = serviceTitles[service];
  const details: UpstreamErrorDetails = {
    service,
    operation,
    upstreamStatus: null,
    upstreamMessage: null,
    upstreamRequestId: null,
    networkErrorCode: code,
  };
  if (kind === 'timeout') {
    return new UpstreamError(
      504,
      'upstream_timeout',
      `The ${title} service did not answer in time.`,
      details,
    );
  }
  if (kind === 'invalid_response') return badGateway(details);
  return new UpstreamError(503, 'upstream_unavailable', `The ${title} service is unavailable.`, {
    ...details,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** The error for a call that was not sent because too many others are in progress. */
export function tooBusyError({
  service,
  operation,
}: {
  service: ServiceName;
  operation: string;
}): UpstreamError {
  const detail = `Too many requests to the ${serviceTitles[service]} service are in progress.`;
  return new UpstreamError(503, 'upstream_busy', detail, {
    service,
    operation,
    upstreamStatus: null,
    upstreamMessage: null,
    upstreamRequestId: null,
    networkErrorCode: NOT_SENT,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function codeOf(thrown: unknown): string {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
