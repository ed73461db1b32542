import type { ServiceName } from '@gateway/platform';
import type { CallContext } from '../call.ts';
import { serviceTitles } from '../service-titles.ts';
import { describeExceededQuota, parseExceededQuota } from './exceeded-quota.ts';
import { parseServiceMessage, type ServiceMessage } from './service-message.ts';
import { isUnexplainedNotFound } from './unexplained-not-found.ts';
import { badGateway, UpstreamError, type UpstreamErrorDetails } from './upstream-error.ts';

type Headers = Record<string, string | string[] | undefined>;

interface Operation {
  service: ServiceName;
  operation: string;
}

const RATE_LIMITED_RETRY_AFTER_SECONDS = 1;

/** Only requests with a microversion that the service does not support get this status. */
const NOT_ACCEPTABLE = 406;

/**
 * The driver of a service does not have what was asked for, such as HTTP in a load balancer that another
 * provider makes. The request had no effect, and none ever will.
 */
const NOT_IMPLEMENTED = 501;

/** Error codes of the statuses that the API user also gets. */
const CODES: Record<number, string> = {
  400: 'invalid_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'body_too_large',
};

/** The error for a response with a status of 300 or above. */
export function errorFromResponse(
  request: Operation & { isDelete: boolean },
  call: CallContext,
  { status, headers, text }: { status: number; headers: Headers; text: string },
  maxRetryAfterSeconds: number | undefined,
): UpstreamError {
  const message = parseServiceMessage(text);
  const details: UpstreamErrorDetails = {
    service: request.service,
    operation: request.operation,
    upstreamStatus: status,
    upstreamMessage: message.message,
    upstreamRequestId: requestIdOf(headers),
  };
  const title = serviceTitles[request.service];
  if (isLostTaskRace(request, status, text)) {
    const detail = 'Another task of the instance has just begun.';
    return new UpstreamError(409, 'conflict', detail, { ...details, reason: 'busy' });
  }
  if (status === NOT_IMPLEMENTED && message.message !== null) {
    return new UpstreamError(409, 'conflict', message.message, { ...details, reason: 'not_supported' });
  }
  if (status < 400 || status >= 500 || isUnexplainedNotFound(request.service, { status, text })) {
    return badGateway({ ...details, retryAfterSeconds: maxRetryAfterSeconds });
  }
  if (status === NOT_ACCEPTABLE) {
    const detail = `The ${title} service does not have the version of its interface that the gateway needs.`;
    return new UpstreamError(502, 'upstream_error', detail, details);
  }
  if (status === 401) return rejectedToken(call, details);

  const quota = parseExceededQuota(status, message);
  if (quota !== null) {
    return new UpstreamError(409, 'quota_exceeded', describeExceededQuota(quota), { ...details, quota });
  }
  if (status === 429 || (status === 413 && maxRetryAfterSeconds !== undefined)) {
    const retryAfterSeconds = Math.max(maxRetryAfterSeconds ?? 0, RATE_LIMITED_RETRY_AFTER_SECONDS);
    const detail = `The ${title} service accepts no more requests at the moment.`;
    return new UpstreamError(429, 'rate_limited', detail, { ...details, retryAfterSeconds });
  }
  const mapped = mapStatus(request, status, message);
  const detail =
    explainMissingExtension(message.message) ??
    message.message ??
    `The ${title} service refused the request.`;
  return new UpstreamError(mapped, CODES[mapped] ?? 'upstream_refused', detail, details);
}

/** The network service refuses fields of extensions that it lacks, in words for programmers. */
function explainMissingExtension(message: string | null): string | undefined {
  const field = /^Unrecognized attribute\(s\) '([\w:]{1,64})'/.exec(message ?? '')?.[1];
  if (field === undefined) return undefined;
  return `The network service of this cloud lacks an extension that the gateway needs: it does not know "${field}".`;
}

/**
 * When two actions on an instance arrive together, the compute service rejects one with a 500 that names the
 * exception. The rejected action has no effect: the write that would have started its task failed.
 */
function isLostTaskRace({ service }: Operation, status: number, text: string): boolean {
  return service === 'compute' && status === 500 && text.includes('nova.exception.UnexpectedTaskStateError');
}

/** The 502 for a 2xx response with unusable content. `reason` is for the log. */
export function invalidResponseError(
  { service, operation }: Operation,
  response: { status: number; headers?: Headers },
  reason = 'The body is not a JSON object, or is empty.',
): UpstreamError {
  return badGateway({
    service,
    operation,
    upstreamStatus: response.status,
    upstreamMessage: reason,
    upstreamRequestId: requestIdOf(response.headers ?? {}),
  });
}

function rejectedToken(call: CallContext, details: UpstreamErrorDetails): UpstreamError {
  if (call.credentials === 'service') return badGateway(details);
  return new UpstreamError(401, 'unauthorized', 'The token is invalid or has expired.', details);
}

/** Block storage: the state of the volume, snapshot or backup forbids the request. */
const BLOCK_STORAGE_STATE = /^Invalid (?:volume|snapshot|backup): /;

/**
 * Any service: the state of what the request uses, perhaps at another service, forbids it. In the services'
 * words: "volume '…' status must be 'in-use'", "Updating a cluster when status is …", "Share is busy with an
 * active task".
 */
const OTHER_STATE =
  /\bstatus(?:es)? must\b|\bmust be in \S+ state\b|\bwhen status is\b|\bin an invalid state\b|\boperation in progress\b|\bbusy with an active task\b/i;

/** The service's own status, but 409 for a request that the resource's state or revision does not allow. */
function mapStatus(
  { isDelete, service }: Operation & { isDelete: boolean },
  status: number,
  { message }: ServiceMessage,
): number {
  if (status === 422) return 400;
  if (status === 412) return 409;
  const text = message ?? '';
  if (service === 'blockStorage' && status === 400 && BLOCK_STORAGE_STATE.test(text)) return 409;
  if (status === 400 && OTHER_STATE.test(text) && !/^invalid input/i.test(text)) return 409;
  if (!isDelete) return status;
  // Block storage responds with 400 when the state does not allow the deletion. The other 400 of a
  // deletion is a malformed id.
  if (status === 400 && !/malformed|uuid|invalid input/i.test(text)) return 409;
  // Shared file system, image (protected) and compute (boot volume) respond with 403, as they do when
  // policy does not allow it.
  return status === 403 && !/policy/i.test(text) && STATE_REFUSAL.test(text) ? 409 : status;
}

/**
 * Some releases of the shared file system service send "Invalid share: %(reason)s."
 * literally, without the reason.
 */
const STATE_REFUSAL = /stat(?:us|e)\b|protected|root device|in use|^invalid share/i;

function requestIdOf(headers: Headers): string | null {
  const value = headers['x-openstack-request-id'] ?? headers['x-compute-request-id'];
  return typeof value === 'string' ? value : null;
}
