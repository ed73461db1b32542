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
  toError(refusal: GatewayError): GatewayError;
}

/** What the caller was told; its cause is not kept. */
interface Refusal extends Pick<GatewayError, 'status' | 'code' | 'message'> {
  until: number;
}

/**
 * A refusal is reused for this long. A refused token does not become valid; a project that was refused may be granted,
 * and is then refused for this long at most.
 */
const REFUSAL_MS = 5_000;
const MAX_REFUSALS = 10_000;

/** Keeps tokens and projects that the identity service refuses from costing it a call each. */
export class Refusals {
  /** By subject, oldest first. */
  readonly #refusals = new Map<string, Refusal>();
  readonly #limit: RefusalLimit;
  readonly #clock: Clock;

  constructor(limit: RefusalLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** The answer of `ask`; throws the question's error when it is refused, or was a moment ago. */
  async guard<T>({ subject, countedAs, isLimited, toError }: Question, ask: () => Promise<T>): Promise<T> {
    if (isLimited) await this.#limit.take(countedAs);
    const recent = this.#recent(subject);
    if (recent !== null) {
      if (!isLimited) await this.#limit.count(countedAs);
      throw new GatewayError(recent.status, recent.code, recent.message);
    }
    let isRefused = false;
    try {
      return await ask();
    } catch (error) {
      isRefused = isRefusal(error);
      if (!isRefusal(error)) throw error;
      const told = toError(error);
      this.#remember(subject, told);
      throw told;
    } finally {
      if (isRefused && !isLimited) await this.#limit.count(countedAs);
      if (!isRefused && isLimited) await this.#limit.giveBack(countedAs);
    }
  }

  /** What was refused may have been granted. */
  clear(): void {
    this.#refusals.clear();
  }

  #recent(subject: string): Refusal | null {
    const refusal = this.#refusals.get(subject);
    return refusal !== undefined && refusal.until > this.#clock.now() ? refusal : null;
  }

  #remember(subject: string, { code, message, status }: GatewayError): void {
    this.#refusals.delete(subject);
    this.#refusals.set(subject, { code, message, status, until: this.#clock.now() + REFUSAL_MS });
    if (this.#refusals.size <= MAX_REFUSALS) return;
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }
}

/** True when the identity service said no, as opposed to not being able to say. */
export function isRefusal(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.status < 500 && error.status !== 429;
}
