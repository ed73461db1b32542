import type { ErrorCode } from '../http/schemas/error-codes.ts';

/** Errors that a key can cause on any POST: malformed, in use or reused, too many, and store unavailable. */
export const IDEMPOTENCY_CODES: readonly ErrorCode[] = [
  'invalid_input',
  'idempotency_mismatch',
  'idempotency_in_progress',
  'rate_limited',
  'store_unavailable',
];

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    'Chosen by the client, a new key for each operation. A repeat with the same key and body, to the same path, in the',
    'same project and by the same user, has no second effect: it gets the first response again, with another `request_id`',
    'for an error. A repeat of a creation that runs as a job joins that job: its stream starts again with the same',
    '`X-Job-Id`, and a synchronous request waits for the same job, also after a 504 with its `job_id`. With another body',
    'the response is 409 `idempotency_mismatch`. While the first request is in progress, a repeat waits for its response;',
    'after a time limit it gets 409 `idempotency_in_progress` with `Retry-After`. Responses from 500 up, 401, 429 and',
    'refusals of the input are not stored, so a repeat tries again; other refusals are stored for a minute. A user with',
    'too many keys in use gets 429. While the store is not available, a request with a key gets 503. If a gateway process',
    'dies during a request that starts no job, a repeat runs again, because it is unknown how far the first run came; a',
    'job is never started twice. Keys are stored for a day unless the gateway is configured otherwise.',
  ].join(' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

export const idempotentReplayedHeader = {
  description: 'The request was sent before with this `Idempotency-Key`, and this is its result.',
  schema: { type: 'string', const: 'true' },
};
