import { type FieldError, GatewayError, type UpstreamInfo } from '@gateway/core';
import { Reply } from '../response/reply.ts';

/** An answer as it is kept for whoever asks again: what was told, without what belongs to one request. */
export type KeptAnswer = { status: number; body: unknown } | { error: KeptError };

interface KeptError {
  status: number;
  code: string;
  detail: string;
  errors?: FieldError[];
  jobId?: string;
  upstream?: UpstreamInfo;
}

/** `status` is the declared one. */
export function keptAnswer(answer: unknown, status: number): KeptAnswer {
  return answer instanceof Reply ? { status: answer.status, body: answer.body } : { status, body: answer };
}

/**
 * Null for what is not kept, because a second try may go better: faults of gateway and services, limits, and a
 * password or token that was refused.
 */
export function keptError(thrown: unknown): KeptAnswer | null {
  if (!(thrown instanceof GatewayError)) return null;
  const { status, code, message, errors, jobId, upstream } = thrown;
  if (status >= 500 || status === 429 || status === 401) return null;
  return { error: { status, code, detail: message, errors, jobId, upstream } };
}

/** Gives what was given before, or throws what was thrown. */
export function giveAgain(kept: KeptAnswer): Reply {
  if (!('error' in kept)) return new Reply(kept.status, kept.body);
  const { status, code, detail, ...rest } = kept.error;
  throw new GatewayError(status, code, detail, rest);
}
