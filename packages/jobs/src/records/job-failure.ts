import {
  type ConflictReason,
  type ErrorParams,
  type FieldError,
  GatewayError,
  type UpstreamInfo,
} from '@gateway/core';

/** Why a job failed: the error for its caller. */
export interface JobFailure {
  status: number;
  code: string;
  detail: string;
  reason?: ConflictReason;
  params?: ErrorParams;
  errors?: FieldError[];
  upstream?: UpstreamInfo;
}

/** Drops what a response must not show. */
export function toJobFailure(error: GatewayError): JobFailure {
  const { status, code, message, conflictReason: reason, params, errors, upstream } = error;
  return {
    status,
    code,
    detail: message,
    ...(reason && { reason }),
    ...(params && { params }),
    ...(errors && { errors }),
    ...(upstream && { upstream }),
  };
}

/** The error of the job for a response. Pass `jobId` unless the response has already named the job. */
export function failureError(failure: JobFailure, jobId?: string): GatewayError {
  const { status, code, detail, ...rest } = failure;
  return new GatewayError(status, code, detail, { ...rest, jobId });
}
