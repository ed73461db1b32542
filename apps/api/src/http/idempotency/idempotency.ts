import { GatewayError, newId, rateLimited, sleep } from '@gateway/core';
import { readJob } from '@gateway/jobs';
import type { Logger } from '@gateway/platform';
import type { Redis } from '@gateway/store';
import { JobStream } from '../streams/event-streams.ts';
import { DeferredWrites } from './deferred-writes.ts';
import type { KeyedRequest } from './key.ts';
import type { IdempotencyStore } from './store.ts';
import { replay, type StoredResponse, toStoredError, toStoredResponse } from './stored-response.ts';

export interface IdempotencyOptions {
  redis: Redis;
  store: IdempotencyStore;
  logger: Logger;
  /** How long a key is stored, from its first use. */
  windowMs: number;
  /** How long a refusal is stored. */
  refusalMs: number;
  /** How long a key that names a job is stored; at most as long as the job's record. */
  jobWindowMs: number;
  /** A process that has not renewed its lease on a key for this long counts as dead. */
  leaseMs?: number;
  /** How long a request waits for another request with the same key. */
  waitMs?: number;
}

/** A request with a key, and the handler that runs once for the key. */
export interface IdempotentHandler {
  request: KeyedRequest;
  /** Of a successful response. */
  status: number;
  /**
   * `runId` is the id of the job, if the handler starts a job. `isRepeat` says that an earlier request with
   * the key may have queued the job already.
   */
  handle(runId: string, isRepeat: boolean): Promise<unknown>;
  /** Called before the response if the result belongs to an earlier request. */
  onReplay(): void;
}

const POLL_MS = 100;

/**
 * Runs the handler once for all requests with the same `Idempotency-Key`, concurrent or in sequence, in any
 * process. While the store is unavailable, requests with a key fail, because a repeat cannot be recognised.
 * See decision 22.
 */
export class Idempotency {
  readonly #options: Required<IdempotencyOptions>;
  readonly #writes: DeferredWrites;

  constructor(options: IdempotencyOptions) {
    this.#options = { leaseMs: 10_000, waitMs: 15_000, ...options };
    this.#writes = new DeferredWrites(options.logger);
  }

  close(): void {
    this.#writes.close();
  }

  /**
   * For handlers that do the work themselves. The process that runs the handler holds a lease; other requests
   * with the key wait for the stored response. If the process dies, the lease expires and the next request
   * runs the handler again, because the gateway does not know how far the first run came.
   */
  async run({ request, status, handle, onReplay }: IdempotentHandler): Promise<unknown> {
    const { leaseMs, store } = this.#options;
    const runId = newId();
    const stored = await this.#acquire(request, runId);
    if (stored !== null) {
      onReplay();
      return replay(stored);
    }
    const renewal = setInterval(() => {
      // The next renewal makes up for a failed one.
      store.renew(request, runId, leaseMs).catch(() => {});
    }, leaseMs / 3);
    try {
      const result = await handle(runId, false);
      await this.#writes.attempt(() => this.#store(request, runId, toStoredResponse(result, status)));
      return result;
    } catch (thrown) {
      const error = toStoredError(thrown);
      await this.#writes.attempt<unknown>(() =>
        error === null ? store.release(request, runId) : this.#store(request, runId, error),
      );
      throw thrown;
    } finally {
      clearInterval(renewal);
    }
  }

  /**
   * For handlers that start a job. The store holds the job's id before the job exists, and queueing the same
   * id again has no effect. So every request runs the handler, and all of them get the same job, even if a
   * process has died meanwhile.
   */
  async runJob({ request, status, handle, onReplay }: IdempotentHandler): Promise<unknown> {
    const { jobWindowMs, store } = this.#options;
    const newJobId = newId();
    const reservation = await store.reserve(request, newJobId, { ttlMs: jobWindowMs, leaseMs: 0 });
    if (reservation.kind === 'mismatch') throw mismatch();
    if (reservation.kind === 'full') throw tooManyKeys(reservation.retryAfterMs);
    if (reservation.kind !== 'acquired') onReplay();
    if (reservation.kind === 'completed') return replay(reservation.response);
    const isRepeat = reservation.kind === 'in_progress';
    const jobId = isRepeat ? reservation.runId : newJobId;
    try {
      const result = await handle(jobId, isRepeat);
      // A stream is not stored: a repeat streams the events of the same job.
      if (result instanceof JobStream) return result;
      const response = toStoredResponse(result, status);
      const earlier = await this.#writes.attempt(() => this.#store(request, jobId, response));
      return earlier ? replay(earlier) : result;
    } catch (thrown) {
      await this.#writes.attempt(() => this.#storeJobError(request, jobId, thrown));
      throw thrown;
    }
  }

  /**
   * Waits for the key. Returns the stored response, or null if this request has acquired the key and must
   * run.
   */
  async #acquire(request: KeyedRequest, runId: string): Promise<StoredResponse | null> {
    const { leaseMs, store, waitMs, windowMs } = this.#options;
    const deadline = performance.now() + waitMs;
    for (;;) {
      const reservation = await store
        .reserve(request, runId, { ttlMs: windowMs, leaseMs })
        .catch((error: unknown) => {
          // The store may have applied the write. The caller gets an error, so the key must become free
          // again.
          void this.#writes.retry(() => store.release(request, runId));
          throw error;
        });
      if (reservation.kind === 'acquired') return null;
      if (reservation.kind === 'completed') return reservation.response;
      if (reservation.kind === 'mismatch') throw mismatch();
      if (reservation.kind === 'full') throw tooManyKeys(reservation.retryAfterMs);
      if (performance.now() >= deadline) throw inProgress();
      await sleep(POLL_MS);
    }
  }

  #store(request: KeyedRequest, runId: string, response: StoredResponse): Promise<StoredResponse | null> {
    const { refusalMs, store, windowMs } = this.#options;
    return store.complete(request, runId, response, 'error' in response ? refusalMs : windowMs);
  }

  /**
   * Stores a refusal if the job itself is refused, not only this request. After any other error a repeat may
   * try again: with a new job if the old job has failed, else with the same job, which is running, has
   * completed or was never queued.
   */
  async #storeJobError(request: KeyedRequest, jobId: string, thrown: unknown): Promise<void> {
    const { redis, store } = this.#options;
    const error = toStoredError(thrown);
    const record = await readJob(redis, jobId);
    const hasFailed = record?.status === 'failed' || record?.status === 'cancelled';
    if (error === null && hasFailed) await store.release(request, jobId);
    if (error !== null && (hasFailed || record === null)) await this.#store(request, jobId, error);
  }
}

function mismatch(): GatewayError {
  return new GatewayError(
    409,
    'idempotency_mismatch',
    'The Idempotency-Key was used before, with another body. Use a new key for another request.',
  );
}

function tooManyKeys(retryAfterMs: number): GatewayError {
  return rateLimited(
    'Too many of your Idempotency-Keys are in use. Please wait until some have expired, or send the request without a key.',
    { retryAfterSeconds: retryAfterMs / 1000 },
  );
}

function inProgress(): GatewayError {
  return new GatewayError(
    409,
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still in progress. Please try again in a moment.',
    { retryAfterSeconds: 2 },
  );
}
