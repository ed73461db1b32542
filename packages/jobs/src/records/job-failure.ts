import { type FieldError, GatewayError, type UpstreamInfo } from '@gateway/core';

/** Why a job failed: the error for its caller. */
export interface JobFailure {
  status: number;
  code: string;
  detail: string;
  errors?: FieldError[];
  upstream?: UpstreamInfo;
}

/** Drops what a response must not show. */
export function toJobFailure({ status, code, message, errors, upstream }: GatewayError): JobFailure {
  return { status, code, detail: message, ...(errors && { errors }), ...(upstream && { upstream }) };
}

/** The error of the job for a response. Pass `jobId` unless the response has already named the job. */
export function failureError(failure: JobFailure, jobId?: string): GatewayError {
  const { status, code, detail, errors, upstream } = failure;
  return new GatewayError(status, code, detail, { errors, jobId, upstream });
}
