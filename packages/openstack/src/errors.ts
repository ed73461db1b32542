import type { ServiceName } from '@gateway/config';
import { GatewayError } from '@gateway/core';
import { isUnreachedCode } from './fault.ts';

/** What a refusal for quota told; what it did not tell is null. */
export interface QuotaRefusal {
  resource: string | null;
  limit: number | null;
  inUse: number | null;
  requested: number | null;
}

export interface UpstreamFailure {
  service: ServiceName;
  operation: string;
  /** The service's own status; null when there was no answer. */
  upstreamStatus: number | null;
  /** The service's own words, for the log. */
  upstreamMessage: string | null;
  upstreamRequestId: string | null;
  /** The code of a connection fault, as `ECONNREFUSED`. */
  faultCode?: string | null;
  quota?: QuotaRefusal | null;
  retryAfterSeconds?: number;
}

/**
 * A call to a cloud service that failed. `status`, `code` and `message` are what the caller is told; the rest is for
 * the log and for decisions. It never holds a request: no URL, header, token or body.
 */
export class UpstreamError extends GatewayError {
  readonly service: ServiceName;
  readonly operation: string;
  readonly upstreamStatus: number | null;
  readonly upstreamMessage: string | null;
  readonly upstreamRequestId: string | null;
  readonly faultCode: string | null;
  readonly quota: QuotaRefusal | null;

  constructor(status: number, code: string, detail: string, failure: UpstreamFailure) {
    super(status, code, detail, {
      upstream: {
        service: failure.service,
        status: failure.upstreamStatus,
        request_id: failure.upstreamRequestId,
      },
      retryAfterSeconds: failure.retryAfterSeconds,
    });
    this.name = 'UpstreamError';
    this.service = failure.service;
    this.operation = failure.operation;
    this.upstreamStatus = failure.upstreamStatus;
    this.upstreamMessage = failure.upstreamMessage;
    this.upstreamRequestId = failure.upstreamRequestId;
    this.faultCode = failure.faultCode ?? null;
    this.quota = failure.quota ?? null;
  }
}

/** Something waited for ended in a state from which the awaited one can not come. */
export class FailedStateError extends GatewayError {
  readonly resourceStatus: string;

  constructor(detail: string, resourceStatus: string) {
    super(502, 'upstream_error', detail);
    this.name = 'FailedStateError';
    this.resourceStatus = resourceStatus;
  }
}

export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.status === 404;
}

/** The call can not have taken effect: there was no connection to the service. */
export function isUnreached(thrown: unknown): boolean {
  return thrown instanceof UpstreamError && thrown.faultCode !== null && isUnreachedCode(thrown.faultCode);
}

export function isConflict(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.status === 409;
}

/** The fault may pass by itself: too many requests, an answer of 5xx, no answer, no connection. */
export function isPassing(thrown: unknown): boolean {
  return thrown instanceof UpstreamError && (thrown.status === 429 || thrown.status >= 502);
}
