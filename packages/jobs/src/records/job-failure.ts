import { type FieldError, GatewayError, type UpstreamInfo } from '@gateway/core';

/** Why a job failed: the error for its caller. */
export interface JobFailure {
  status: number;
  code: string;
  detail: string;
  errors?: FieldError[];
  upstream?: UpstreamInfo;
}

/** Keeps what a response may show. */
export function toJobFailure({ status, code, message, errors, upstream }: GatewayError): JobFailure {
  return { status, code, detail: message, ...(errors && { errors }), ...(upstream && { upstream }) };
}

/** The error of the job for a response. `jobId` goes with it if the response has not named the job before. */
export function failureError(failure: JobFailure, jobId?: string): GatewayError {
  const { status, code, detail, errors, upstream } = failure;
  return new GatewayError(status, code, detail, { errors, jobId, upstream });
}
