import { atMost, type Clock, GatewayError, isYetToCome } from '@gateway/core';
import { LRUCache } from 'lru-cache';

/** Counts refusals per window of time, for all processes together. */
export interface RefusalLimit {
  /** @throws `rate_limited` once the limit is reached */
  check(key: string): Promise<void>;
  /** Counts a refusal, also beyond the limit. */
  count(key: string): Promise<void>;
}

/** A call to the identity service that `Refusals` guards. */
interface GuardedCall {
  /** Identifies the token, or the token and project, that is checked. Must not be a secret. */
  subject: string;
  /** Whose refusals are counted: an address or a user. */
  limitKey: string;
  /** Whether the limit blocks this call. A refusal counts in any case. */
  isLimited: boolean;
  /** The error for the caller when the identity service refuses. */
  toError(refusal: GatewayError): GatewayError;
}

/** A stored refusal: the error for the caller, without its cause. */
interface CachedRefusal extends Pick<GatewayError, 'status' | 'code' | 'message'> {
  /** Milliseconds since the epoch. */
  validUntil: number;
}

/**
 * How long a refusal is reused. A refused token never becomes valid. A project may be granted after a
 * refusal; the caller notices after this time at the latest.
 */
const REFUSAL_TTL_MS = 5_000;
const MAX_REFUSALS = 10_000;

/**
 * Caches and limits refusals of the identity service, so that a refused token or project does not cost a call
 * each time.
 */
export class Refusals {
  /** By subject. */
  readonly #refusals = new LRUCache<string, CachedRefusal>(atMost(MAX_REFUSALS));
  readonly #limit: RefusalLimit;
  readonly #clock: Clock;

  constructor(limit: RefusalLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * Returns the result of `call`. Throws the error of `toError` if the call is refused now or was refused
   * recently. `call` passes `beforeSend` on to the identity service's client: once the limit is reached,
   * queued calls are no longer sent.
   */
  async guard<T>(
    { subject, limitKey, isLimited, toError }: GuardedCall,
    call: (beforeSend?: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const check = isLimited ? () => this.#limit.check(limitKey) : undefined;
    const cached = this.#get(subject);
    if (cached !== null) {
      await check?.();
      await this.#limit.count(limitKey);
      throw new GatewayError(cached.status, cached.code, cached.message);
    }
    try {
      return await call(check);
    } catch (thrown) {
      if (!isLoginRefusal(thrown)) throw thrown;
      await this.#limit.count(limitKey);
      const error = toError(thrown);
      this.#put(subject, error);
      throw error;
    }
  }

  clear(): void {
    this.#refusals.clear();
  }

  #get(subject: string): CachedRefusal | null {
    const cached = this.#refusals.get(subject);
    return cached !== undefined && isYetToCome(cached.validUntil, REFUSAL_TTL_MS, this.#clock)
      ? cached
      : null;
  }

  #put(subject: string, { code, message, status }: GatewayError): void {
    this.#refusals.set(subject, { code, message, status, validUntil: this.#clock.now() + REFUSAL_TTL_MS });
  }
}

/** Whether the identity service has refused, as opposed to having failed. */
export function isLoginRefusal(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.status < 500 && error.status !== 429;
}
