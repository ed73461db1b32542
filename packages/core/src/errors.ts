/**
 * One error class for everything a caller may be told. A `GatewayError` is a status, a stable `code` and a
 * sentence that is safe to show a person; `cause` keeps the original for the log. Anything else that is
 * thrown is a fault of the gateway and becomes a 500 without detail at the edge.
 */
export interface FieldError {
  /** Where the value stood, as a path: `body.name`, `query.limit`, `path.instance_id`. */
  field: string;
  message: string;
}

/** What may be told of a failed call to a cloud service: never its URL, headers or body. */
export interface UpstreamInfo {
  service: string;
  status: number | null;
  request_id: string | null;
}

export interface GatewayErrorOptions {
  cause?: unknown;
  errors?: FieldError[];
  jobId?: string;
  upstream?: UpstreamInfo;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors?: FieldError[];
  readonly jobId?: string;
  readonly upstream?: UpstreamInfo;
  readonly retryAfterSeconds?: number;

  constructor(status: number, code: string, detail: string, options: GatewayErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.status = status;
    this.code = code;
    this.errors = options.errors;
    this.jobId = options.jobId;
    this.upstream = options.upstream;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The body of every answer from 400 up. */
export interface ErrorBody {
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldError[];
  job_id?: string;
  upstream?: UpstreamInfo;
}

type Make = (detail: string, options?: GatewayErrorOptions) => GatewayError;

function kind(status: number, code: string): Make {
  return (detail, options) => new GatewayError(status, code, detail, options);
}

export const invalidInput = kind(400, 'invalid_input');
export const unauthorized = kind(401, 'unauthorized');
export const sessionExpired = kind(401, 'session_expired');
export const forbidden = kind(403, 'forbidden');
export const notFound = kind(404, 'not_found');
export const routeNotFound = kind(404, 'route_not_found');
export const serviceDisabled = kind(404, 'service_disabled');
export const methodNotAllowed = kind(405, 'method_not_allowed');
export const conflict = kind(409, 'conflict');
export const quotaExceeded = kind(409, 'quota_exceeded');
export const bodyTooLarge = kind(413, 'body_too_large');
export const unsupportedMediaType = kind(415, 'unsupported_media_type');
export const rateLimited = kind(429, 'rate_limited');
export const internalError = kind(500, 'internal_error');
export const upstreamFailed = kind(502, 'upstream_error');
export const upstreamUnavailable = kind(503, 'upstream_unavailable');
export const storeUnavailable = kind(503, 'store_unavailable');
export const upstreamTimeout = kind(504, 'upstream_timeout');

/** What a caller is told of any thrown value: a `GatewayError` as it is, all else as a bare 500. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return internalError('An internal error occurred.', { cause: thrown });
}
