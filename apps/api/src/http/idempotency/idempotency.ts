import { GatewayError, newId, rateLimited, sleep } from '@gateway/core';
import { readJob } from '@gateway/jobs';
import type { Redis } from '@gateway/redis';
import type { Logger } from '@gateway/telemetry';
import { JobStream } from '../streams/event-streams.ts';
import type { KeyedRequest } from './key.ts';
import type { IdempotencyStore } from './store.ts';
import { Outcomes } from './store-later.ts';
import { giveAgain, type KeptAnswer, keptAnswer, keptError } from './stored-response.ts';

export interface IdempotencyOptions {
  redis: Redis;
  store: IdempotencyStore;
  logger: Logger;
  /** How long a key is known, from its first use. */
  windowMs: number;
  /** How long a refusal is kept. */
  refusalMs: number;
  /** A key stands for a job no longer than the job's record is sure to be there. */
  jobWindowMs: number;
  /** A process that has not renewed its hold on a key for this long is taken for dead. */
  leaseMs?: number;
  /** How long a request waits for the answer of another one with its key. */
  patienceMs?: number;
}

/** A request with a key, and how to do what it asks for. */
export interface KeyedAction {
  request: KeyedRequest;
  /** Of the answer when all went well. */
  status: number;
  /** `runId` is the id of the job that it starts, if it starts one; a repeat may find that job there. */
  act(runId: string, isRepeat: boolean): Promise<unknown>;
  /** Called before an answer that is, or will be, another request's as well. */
  onRepeat(): void;
}

const LOOK_MS = 100;

/**
 * Has requests with the same `Idempotency-Key` take effect once, in whatever process they arrive, together or
 * one after the other. With the store away they fail, since nobody can tell whether they are repeats.
 */
export class Idempotency {
  readonly #options: Required<IdempotencyOptions>;
  readonly #outcomes: Outcomes;

  constructor(options: IdempotencyOptions) {
    this.#options = { leaseMs: 10_000, patienceMs: 15_000, ...options };
    this.#outcomes = new Outcomes(options.logger);
  }

  close(): void {
    this.#outcomes.close();
  }

  /**
   * For what the request does by itself. Whoever acts holds a lease; the others wait for the outcome. When its
   * process dies the lease runs out and the next request acts anew: nobody can tell how far it had come.
   */
  async actOnce({ request, status, act, onRepeat }: KeyedAction): Promise<unknown> {
    const { leaseMs, store } = this.#options;
    const runId = newId();
    const kept = await this.#reserve(request, runId);
    if (kept !== null) {
      onRepeat();
      return giveAgain(kept);
    }
    const renewal = setInterval(() => {
      // One that fails is the next one's.
      store.renew(request, runId, leaseMs).catch(() => {});
    }, leaseMs / 3);
    try {
      const answer = await act(runId, false);
      await this.#outcomes.tell(() => this.#keep(request, runId, keptAnswer(answer, status)));
      return answer;
    } catch (error) {
      const told = keptError(error);
      await this.#outcomes.tell<unknown>(() =>
        told === null ? store.release(request, runId) : this.#keep(request, runId, told),
      );
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /**
   * For what a job does. Its id stands in the store before the job does, and queueing a job that is there adds
   * nothing: so everybody acts, and all meet at the same job, whoever has died before or after queueing it.
   */
  async actByJob({ request, status, act, onRepeat }: KeyedAction): Promise<unknown> {
    const { jobWindowMs, store } = this.#options;
    const own = newId();
    const reservation = await store.reserve(request, own, { lifeMs: jobWindowMs, leaseMs: 0 });
    if (reservation.kind === 'mismatch') throw mismatch();
    if (reservation.kind === 'full') throw tooManyKeys(reservation.retryAfterMs);
    if (reservation.kind !== 'mine') onRepeat();
    if (reservation.kind === 'answered') return giveAgain(reservation.answer);
    const jobId = reservation.kind === 'held' ? reservation.runId : own;
    try {
      const answer = await act(jobId, reservation.kind === 'held');
      // A stream is given again by its job.
      if (answer instanceof JobStream) return answer;
      const earlier = await this.#outcomes.tell(() => this.#keep(request, jobId, keptAnswer(answer, status)));
      return earlier ? giveAgain(earlier) : answer;
    } catch (error) {
      await this.#outcomes.tell(() => this.#settleJob(request, jobId, error));
      throw error;
    }
  }

  /** Gives the kept answer, or null when it is this request's turn to act. */
  async #reserve(request: KeyedRequest, runId: string) {
    const { leaseMs, patienceMs, store, windowMs } = this.#options;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const reservation = await store
        .reserve(request, runId, { lifeMs: windowMs, leaseMs })
        .catch((error: unknown) => {
          // The store may have taken it all the same, and the caller is told that nothing was done.
          void this.#outcomes.tellLater(() => store.release(request, runId));
          throw error;
        });
      if (reservation.kind === 'mine') return null;
      if (reservation.kind === 'answered') return reservation.answer;
      if (reservation.kind === 'mismatch') throw mismatch();
      if (reservation.kind === 'full') throw tooManyKeys(reservation.retryAfterMs);
      if (performance.now() >= deadline) throw inProgress();
      await sleep(LOOK_MS);
    }
  }

  #keep(request: KeyedRequest, runId: string, answer: KeptAnswer): Promise<KeptAnswer | null> {
    const { refusalMs, store, windowMs } = this.#options;
    return store.keep(request, runId, answer, 'error' in answer ? refusalMs : windowMs);
  }

  /**
   * A refusal is kept, when the job is refused and not only this request of several. Anything else may be tried
   * again, by a new job where the old one has failed: a job that goes on, or has made what it should, is still the
   * one to be met, and one that is not there can be queued under its id.
   */
  async #settleJob(request: KeyedRequest, jobId: string, error: unknown): Promise<void> {
    const { redis, store } = this.#options;
    const told = keptError(error);
    const record = await readJob(redis, jobId);
    const hasFailed = record?.status === 'failed' || record?.status === 'cancelled';
    if (told === null && hasFailed) await store.release(request, jobId);
    if (told !== null && (hasFailed || record === null)) await this.#keep(request, jobId, told);
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
    'Too many Idempotency-Keys of yours are in use. Please wait until some have expired, or send the request without one.',
    { retryAfterSeconds: retryAfterMs / 1000 },
  );
}

function inProgress(): GatewayError {
  return new GatewayError(
    409,
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being worked on. Please try again in a moment.',
    { retryAfterSeconds: 2 },
  );
}
