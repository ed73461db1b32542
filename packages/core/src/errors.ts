import type { ConflictReason } from './conflict-reasons.ts';

export interface FieldError {
  /** Path of the invalid value: `body.name`, `query.limit`, `path.instance_id`. */
  field: string;
  message: string;
}

/**
 * The part of a failed call to a cloud service that responses may contain: never its URL, headers or body.
 */
export interface UpstreamInfo {
  service: string;
  status: number | null;
  request_id: string | null;
}

/**
 * The values of the sentence, for clients that have sentences of their own: of an exceeded quota, as far as
 * they are known (the first one, if there are several), of a state that refuses, or of a name that is taken.
 */
export interface ErrorParams {
  quota?: string;
  requested?: number;
  in_use?: number;
  limit?: number;
  state?: string;
  name?: string;
}

/** What a log-in still lacks, and the receipt with which it continues. */
export interface UnfinishedLogIn {
  /** A secret of the client. */
  receipt: string;
  receipt_expires_at: string;
  missing_methods: string[];
}

interface GatewayErrorOptions {
  cause?: unknown;
  /** Of a `conflict` only. */
  reason?: ConflictReason;
  params?: ErrorParams;
  errors?: FieldError[];
  jobId?: string;
  upstream?: UpstreamInfo;
  unfinishedLogIn?: UnfinishedLogIn;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/**
 * The error class for API users: an HTTP status, a stable `code`, and a message that is safe to show. `cause`
 * is the original error, for the log. Every other thrown value is an error of the gateway itself and becomes
 * a 500 without details.
 */
export class GatewayError extends Error {
  readonly status: number;
  readonly code: string;
  readonly conflictReason?: ConflictReason;
  readonly params?: ErrorParams;
  readonly errors?: FieldError[];
  readonly jobId?: string;
  readonly upstream?: UpstreamInfo;
  readonly unfinishedLogIn?: UnfinishedLogIn;
  readonly retryAfterSeconds?: number;

  constructor(status: number, code: string, detail: string, options: GatewayErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatewayError';
    this.status = status;
    this.code = code;
    this.conflictReason = options.reason;
    this.params = options.params;
    this.errors = options.errors;
    this.jobId = options.jobId;
    this.upstream = options.upstream;
    this.unfinishedLogIn = options.unfinishedLogIn;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The body of every response with a status of 400 or above. */
export interface ErrorBody extends Partial<UnfinishedLogIn> {
  detail: string;
  code: string;
  request_id: string;
  reason?: ConflictReason;
  params?: ErrorParams;
  errors?: FieldError[];
  job_id?: string;
  upstream?: UpstreamInfo;
}

type ErrorFactory = (detail: string, options?: GatewayErrorOptions) => GatewayError;

function errorFactory(status: number, code: string): ErrorFactory {
  return (detail, options) => new GatewayError(status, code, detail, options);
}

export const invalidInput = errorFactory(400, 'invalid_input');
export const unauthorized = errorFactory(401, 'unauthorized');
export const wrongPassword = errorFactory(401, 'wrong_password');
export const sessionExpired = errorFactory(401, 'session_expired');
export const forbidden = errorFactory(403, 'forbidden');
export const notFound = errorFactory(404, 'not_found');
export const routeNotFound = errorFactory(404, 'route_not_found');
export const serviceDisabled = errorFactory(404, 'service_disabled');
export const methodNotAllowed = errorFactory(405, 'method_not_allowed');
export const immutable = errorFactory(409, 'immutable');
export const bodyTooLarge = errorFactory(413, 'body_too_large');
export const unsupportedMediaType = errorFactory(415, 'unsupported_media_type');
export const rateLimited = errorFactory(429, 'rate_limited');
export const internalError = errorFactory(500, 'internal_error');
export const upstreamFailed = errorFactory(502, 'upstream_error');
export const upstreamUnavailable = errorFactory(503, 'upstream_unavailable');
export const readOnly = errorFactory(503, 'read_only');
export const storeUnavailable = errorFactory(503, 'store_unavailable');
export const upstreamTimeout = errorFactory(504, 'upstream_timeout');

/** The state of something refuses the request. */
export function conflict(
  reason: ConflictReason,
  detail: string,
  options: GatewayErrorOptions = {},
): GatewayError {
  return new GatewayError(409, 'conflict', detail, { ...options, reason });
}

/** A quota that a request would exceed. */
export interface QuotaExcess {
  quota: string;
  requested: number;
  in_use: number;
  limit: number;
}

/**
 * Names each of the quotas with its values.
 *
 * @param whose such as `The quota of the project`
 */
export function quotaExceeded(
  whose: string,
  exceeded: readonly QuotaExcess[],
  options: GatewayErrorOptions = {},
): GatewayError {
  const parts = exceeded.map(
    ({ quota, requested, in_use, limit }) => `${quota}: ${requested} requested, ${in_use} of ${limit} in use`,
  );
  const detail = `${whose} is exceeded (${parts.join('; ')}).`;
  return new GatewayError(409, 'quota_exceeded', detail, { ...options, params: exceeded[0] });
}

/** Returns a `GatewayError` unchanged, and a 500 without details for any other thrown value. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return internalError('An internal error occurred.', { cause: thrown });
}
