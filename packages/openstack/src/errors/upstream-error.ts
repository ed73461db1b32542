import { type ConflictReason, type ErrorParams, GatewayError } from '@gateway/core';
import type { ServiceName } from '@gateway/platform';
import { serviceTitles } from '../service-titles.ts';
import type { ExceededQuota } from './exceeded-quota.ts';

export interface UpstreamErrorDetails {
  service: ServiceName;
  operation: string;
  /** The status of the service's response; null without a response. */
  upstreamStatus: number | null;
  /** The service's own error message, for the log. */
  upstreamMessage: string | null;
  upstreamRequestId: string | null;
  /** The code of a network error, such as `ECONNREFUSED`. */
  networkErrorCode?: string | null;
  quota?: ExceededQuota | null;
  /** Of a `conflict`. Defaults to `refused_by_service`. */
  reason?: ConflictReason;
  retryAfterSeconds?: number;
}

/**
 * A failed call to a cloud service. `status`, `code` and `message` are for the API user; the other fields are
 * for the log and for decisions. The error never contains the request: no URL, header, token or body.
 */
export class UpstreamError extends GatewayError {
  readonly service: ServiceName;
  readonly operation: string;
  readonly upstreamStatus: number | null;
  readonly upstreamMessage: string | null;
  readonly upstreamRequestId: string | null;
  readonly networkErrorCode: string | null;
  readonly quota: ExceededQuota | null;

  constructor(status: number, code: string, detail: string, details: UpstreamErrorDetails) {
    super(status, code, detail, {
      reason: code === 'conflict' ? (details.reason ?? 'refused_by_service') : undefined,
      params: details.quota ? paramsOf(details.quota) : undefined,
      upstream: {
        service: details.service,
        status: details.upstreamStatus,
        request_id: details.upstreamRequestId,
      },
      retryAfterSeconds: details.retryAfterSeconds,
    });
    this.name = 'UpstreamError';
    this.service = details.service;
    this.operation = details.operation;
    this.upstreamStatus = details.upstreamStatus;
    this.upstreamMessage = details.upstreamMessage;
    this.upstreamRequestId = details.upstreamRequestId;
    this.networkErrorCode = details.networkErrorCode ?? null;
    this.quota = details.quota ?? null;
  }
}

/** What the service has said of the quota; undefined if it has said nothing. */
export function paramsOf({ resource, requested, inUse, limit }: ExceededQuota): ErrorParams | undefined {
  const params = {
    ...(resource !== null && { quota: resource }),
    ...(requested !== null && { requested }),
    ...(inUse !== null && { in_use: inUse }),
    ...(limit !== null && { limit }),
  };
  return Object.keys(params).length === 0 ? undefined : params;
}

/** The 502 for a service that responded with a 5xx, or with unusable content. */
export function badGateway(details: UpstreamErrorDetails): UpstreamError {
  const title = serviceTitles[details.service];
  const part = missingPart(details.upstreamMessage);
  const detail =
    part === undefined
      ? `The ${title} service answered with an error.`
      : `The ${title} service cannot do this at the moment: its part "${part}" is missing or stopped.`;
  return new UpstreamError(502, 'upstream_error', detail, details);
}

/** Such as `cinder-backup`, which many clouds do not run. Other messages of a 5xx are only for the log. */
function missingPart(message: string | null): string | undefined {
  return /^Service ([\w-]{1,40}) could not be found\.?$/.exec(message ?? '')?.[1];
}

/** A resource in a state from which it cannot reach the expected state. */
export class FailedStateError extends GatewayError {
  readonly resourceStatus: string;

  constructor(detail: string, resourceStatus: string) {
    super(502, 'upstream_error', detail);
    this.name = 'FailedStateError';
    this.resourceStatus = resourceStatus;
  }
}

/**
 * The identity service refuses the gateway's own user, so the call has not been sent. Nothing is wrong with
 * the job or the request that needs this user, and no other credential helps: an operator has to act.
 */
export class ServiceUserRefusedError extends GatewayError {
  constructor(cause: UpstreamError) {
    const { upstream } = cause;
    super(502, 'upstream_error', "The identity service refuses the gateway's own user.", { cause, upstream });
    this.name = 'ServiceUserRefusedError';
  }
}
