import type { ServiceName } from '@gateway/config';
import type { CallContext } from './call-context.ts';
import { UpstreamError, type UpstreamFailure } from './errors.ts';
import type { FaultKind } from './fault.ts';
import { quotaRefusalOf, quotaSentence } from './quota.ts';
import { serviceTitles } from './service-titles.ts';
import { readMessage, type UpstreamMessage } from './upstream-message.ts';

type Headers = Record<string, string | string[] | undefined>;

interface About {
  service: ServiceName;
  operation: string;
}

const unavailableRetryAfterSeconds = 5;
const rateLimitedRetryAfterSeconds = 1;

/** The codes of refusals that keep their status. */
const codes: Record<number, string> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'body_too_large',
};

/** What a caller is told of an answer of 300 and above. */
export function failureOfAnswer(
  request: About & { deletes: boolean },
  call: CallContext,
  { status, headers, text }: { status: number; headers: Headers; text: string },
  longestRetryAfterSeconds: number | undefined,
): UpstreamError {
  const told = readMessage(text);
  const failure: UpstreamFailure = {
    service: request.service,
    operation: request.operation,
    upstreamStatus: status,
    upstreamMessage: told.message,
    upstreamRequestId: requestIdOf(headers),
  };
  const title = serviceTitles[request.service];
  if (status < 400 || status >= 500) {
    return brokenService(title, { ...failure, retryAfterSeconds: longestRetryAfterSeconds });
  }
  if (status === 401) return refusedToken(title, call, failure);

  const quota = quotaRefusalOf(status, told);
  if (quota !== null) {
    return new UpstreamError(409, 'quota_exceeded', quotaSentence(quota), { ...failure, quota });
  }
  if (status === 429 || (status === 413 && longestRetryAfterSeconds !== undefined)) {
    const retryAfterSeconds = Math.max(longestRetryAfterSeconds ?? 0, rateLimitedRetryAfterSeconds);
    const detail = `The ${title} service takes no more requests for now.`;
    return new UpstreamError(429, 'rate_limited', detail, { ...failure, retryAfterSeconds });
  }
  const own = ownStatus(request, status, told);
  const detail = told.message ?? `The ${title} service refused the request.`;
  return new UpstreamError(own, codes[own] ?? 'upstream_refused', detail, failure);
}

/** What a caller is told when there was no answer. */
export function failureOfFault(
  { service, operation }: About,
  { kind, code }: { kind: FaultKind; code: string },
): UpstreamError {
  const title = serviceTitles[service];
  const failure: UpstreamFailure = {
    service,
    operation,
    upstreamStatus: null,
    upstreamMessage: null,
    upstreamRequestId: null,
    faultCode: code,
  };
  if (kind === 'timeout') {
    return new UpstreamError(
      504,
      'upstream_timeout',
      `The ${title} service did not answer in time.`,
      failure,
    );
  }
  if (kind === 'nonsense') return brokenService(title, failure);
  return new UpstreamError(503, 'upstream_unavailable', `The ${title} service can not be reached.`, {
    ...failure,
    retryAfterSeconds: unavailableRetryAfterSeconds,
  });
}

/** An answer of 2xx that can not be used. `reason` is for the log. */
export function unusableAnswer(
  { service, operation }: About,
  answer: { status: number; headers?: Headers },
  reason = 'The body is not a JSON object.',
): UpstreamError {
  return brokenService(serviceTitles[service], {
    service,
    operation,
    upstreamStatus: answer.status,
    upstreamMessage: reason,
    upstreamRequestId: requestIdOf(answer.headers ?? {}),
  });
}

function brokenService(title: string, failure: UpstreamFailure): UpstreamError {
  return new UpstreamError(502, 'upstream_error', `The ${title} service answered with an error.`, failure);
}

function refusedToken(title: string, call: CallContext, failure: UpstreamFailure): UpstreamError {
  if (call.credentials === 'service') return brokenService(title, failure);
  return new UpstreamError(401, 'unauthorized', 'The token is not valid, or no longer.', failure);
}

/** A refusal's own status, save that a delete refused for the resource's state is a conflict. */
function ownStatus({ deletes }: { deletes: boolean }, status: number, { message }: UpstreamMessage): number {
  if (status === 422) return 400;
  if (!deletes) return status;
  const text = message ?? '';
  // Block storage says 400 to a delete it can not do in this state; what else it calls so is a malformed id.
  if (status === 400 && !/malformed|uuid|invalid input/i.test(text)) return 409;
  // Shared file system, image (protected) and compute (boot volume) say 403, as they do when policy refuses.
  if (status === 403 && !/policy/i.test(text) && /stat(?:us|e)\b|protected|root device|in use/i.test(text))
    return 409;
  return status;
}

function requestIdOf(headers: Headers): string | null {
  const value = headers['x-openstack-request-id'] ?? headers['x-compute-request-id'];
  return typeof value === 'string' ? value : null;
}
