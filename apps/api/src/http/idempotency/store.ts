import { formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { KeyedRequest } from './key.ts';
import { completeScript, releaseScript, renewScript, reserveScript } from './scripts.ts';
import type { StoredResponse } from './stored-response.ts';

/**
 * The result of a reservation. `acquired`: this run may proceed. `in_progress`: another run holds the key.
 * `completed`: a response is stored. `mismatch`: the key was used for another request. `full`: the caller has
 * too many keys in use.
 */
type Reservation =
  | { kind: 'acquired' }
  | { kind: 'in_progress'; runId: string }
  | { kind: 'completed'; response: StoredResponse }
  | { kind: 'mismatch' }
  | { kind: 'full'; retryAfterMs: number };

/**
 * Stores the state of requests with a key. Every run of a handler has an id, and only the run that acquired
 * the key last can change its record. All responses are sealed, because any of them may hold a secret.
 */
export class IdempotencyStore {
  readonly #redis: Redis;
  readonly #sealer: Sealer;
  readonly #limits: { readonly keysPerCaller: number };

  /** `keysPerCaller` is the maximum number of stored keys per caller; 0 for any number. */
  constructor(redis: Redis, sealer: Sealer, limits: { readonly keysPerCaller: number }) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#limits = limits;
  }

  /** With a lease of 0 the first run keeps the key until it is released. */
  async reserve(
    request: KeyedRequest,
    runId: string,
    { ttlMs, leaseMs }: { ttlMs: number; leaseMs: number },
  ): Promise<Reservation> {
    const { digest, fingerprints } = request;
    const reply = await reserveScript.runReplicated(this.#redis, keysOf(request), {
      run: runId,
      digest,
      ttlMs,
      leaseMs,
      keysPerCaller: this.#limits.keysPerCaller,
      fingerprints,
    });
    const [kind, value = ''] = reply as [Reservation['kind'], string?];
    if (kind === 'in_progress') return { kind, runId: value };
    if (kind === 'full') return { kind, retryAfterMs: Number(value) };
    return kind === 'completed' ? { kind, response: this.#open(digest, value) } : { kind };
  }

  async renew(request: KeyedRequest, runId: string, leaseMs: number): Promise<void> {
    await renewScript.run(this.#redis, keysOf(request), { run: runId, leaseMs });
  }

  /**
   * Stores the response for at most `ttlMs`. Returns the response that another run has stored meanwhile, else
   * null.
   */
  async complete(
    request: KeyedRequest,
    runId: string,
    response: StoredResponse,
    ttlMs: number,
  ): Promise<StoredResponse | null> {
    const { digest } = request;
    const sealed = this.#sealer.seal(
      purposeOf(digest),
      formatStored(storedForms.idempotentResponse, response),
    );
    const args = { run: runId, digest, response: sealed, ttlMs };
    const earlier = await completeScript.runReplicated(this.#redis, keysOf(request), args);
    return typeof earlier === 'string' ? this.#open(digest, earlier) : null;
  }

  /** Deletes the record, so that the next request with the key runs anew. */
  async release(request: KeyedRequest, runId: string): Promise<void> {
    await releaseScript.run(this.#redis, keysOf(request), { run: runId, digest: request.digest });
  }

  #open(digest: string, sealed: string): StoredResponse {
    return parseStored(storedForms.idempotentResponse, this.#sealer.open(purposeOf(digest), sealed));
  }
}

/** The braces put all keys of a caller into one slot of a Redis Cluster. */
function keysOf({ caller, digest }: KeyedRequest) {
  const ofCaller = `{idempotency:${caller}}`;
  return { record: `${ofCaller}:${digest}`, lease: `${ofCaller}:${digest}:lease`, ofCaller };
}

function purposeOf(digest: string): string {
  return `idempotency:${digest}`;
}
