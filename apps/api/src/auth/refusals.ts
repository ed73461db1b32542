import { type Clock, GatewayError } from '@gateway/core';

/** Counts refusals in a window of time; several processes share one count. */
export interface RefusalLimit {
  /** Counts one; throws `rate_limited` when it is one too many. */
  take(countedAs: string): Promise<void>;
  /** Counts one, whether or not it is too many. */
  count(countedAs: string): Promise<void>;
  /** Takes one off again. */
  giveBack(countedAs: string): Promise<void>;
}

export interface Question {
  /** What the identity service is asked about: must not be a secret. */
  subject: string;
  /** Whose refusals are counted: an address, or a user. */
  countedAs: string;
  /** Whether the limit holds up this question; its refusal counts in any case. */
  isLimited: boolean;
  /** What the caller is told when the answer is no. */
  toError(cause?: unknown): GatewayError;
}

/**
 * A refusal is reused for this long. A refused token does not become valid; a project that was refused may be granted,
 * and is then refused for this long at most.
 */
const REFUSAL_MS = 5_000;
const MAX_REFUSALS = 10_000;

/** Keeps tokens and projects that the identity service refuses from costing it a call each. */
export class Refusals {
  /** When each was refused, in milliseconds since the epoch; oldest first. */
  readonly #refusedAt = new Map<string, number>();
  readonly #limit: RefusalLimit;
  readonly #clock: Clock;

  constructor(limit: RefusalLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The answer of `ask`; throws the question's error when it was refused now or a moment ago. */
  async guard<T>({ subject, countedAs, isLimited, toError }: Question, ask: () => Promise<T>): Promise<T> {
    if (isLimited) await this.#limit.take(countedAs);
    try {
      if (this.#isRefused(subject)) throw toError();
      const answer = await ask();
      if (isLimited) await this.#limit.giveBack(countedAs);
      return answer;
    } catch (error) {
      if (!isRefusal(error)) {
        if (isLimited) await this.#limit.giveBack(countedAs);
        throw error;
      }
      this.#remember(subject);
      if (!isLimited) await this.#limit.count(countedAs);
      throw toError(error);
    }
  }

  /** What was refused may have been granted. */
  clear(): void {
    this.#refusedAt.clear();
  }

  #isRefused(subject: string): boolean {
    const refusedAt = this.#refusedAt.get(subject);
    return refusedAt !== undefined && refusedAt + REFUSAL_MS > this.#clock.now();
  }

  #remember(subject: string): void {
    if (this.#isRefused(subject)) return;
    this.#refusedAt.delete(subject);
    this.#refusedAt.set(subject, this.#clock.now());
    if (this.#refusedAt.size <= MAX_REFUSALS) return;
    const [oldest] = this.#refusedAt.keys();
    if (oldest !== undefined) this.#refusedAt.delete(oldest);
  }
}

/** True when the identity service said no, as opposed to not being able to say. */
export function isRefusal(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.status < 500 && error.status !== 429;
}
