/** What a key can lead to on any POST: a bad one, one that is in use or was, too many, and no store to look it up in. */
export const IDEMPOTENCY_STATUSES = [400, 409, 429, 503];

export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    'Chosen by the caller, a new one for each thing that is to be done: sent again with the same body, to the same',
    'path, in the same project and by the same user, it does nothing a second time.',
    'The first answer is given again, with another `request_id` where it was an error; a creation that runs as a job',
    'is joined: its stream begins anew with the same `X-Job-Id`, and whoever waits, waits for the same job, also after',
    'a 504 with its `job_id`. With another body it is 409 `idempotency_mismatch`. While the first request is still',
    'being worked on, the answer is waited for, and is 409 `idempotency_in_progress` with `Retry-After` when that',
    'takes too long. Not kept are answers from 500 up, 401, 429, and refusals of the input: there a repeat tries',
    'again; other refusals are kept for a minute. A user who has too many keys in use gets 429. While the store is away, a request with a key is 503. When a gateway process dies in',
    'the middle of a request that is no job, nobody can tell how far it came, and its repeat acts anew; a job is',
    'never started twice. A key is known for a day unless the gateway is configured otherwise.',
  ].join(' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

export const idempotentReplayedHeader = {
  description: 'The request was sent before with this `Idempotency-Key`, and this is what came of it.',
  schema: { type: 'string', const: 'true' },
};
