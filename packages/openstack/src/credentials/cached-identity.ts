import { type Clock, SingleFlight, sleep, systemClock } from '@gateway/core';
import type { CallContext } from '../call.ts';
import type { Identity } from './identity.ts';
import { REVOCATION_PAUSE_MS } from './revocation-pause.ts';

/** Renewed this long before its expiry, because services continue to use a token after their response. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** The same for tokens with a short lifetime, as a fraction of it. */
const RENEW_BEFORE_FRACTION = 0.25;

/** An in-memory identity that is renewed before its token expires. Concurrent callers share a renewal. */
export class CachedIdentity {
  readonly #authenticate: (call: CallContext) => Promise<Identity>;
  readonly #clock: Clock;
  #cached: { identity: Identity; renewAt: number } | null = null;
  readonly #sleep: typeof sleep;
  readonly #renewals = new SingleFlight<Identity>();
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(
    authenticate: (call: CallContext) => Promise<Identity>,
    clock: Clock = systemClock,
    pause: typeof sleep = sleep,
  ) {
    this.#authenticate = authenticate;
    this.#clock = clock;
    this.#sleep = pause;
  }

  async get(call: CallContext): Promise<Identity> {
    if (this.#cached !== null && this.#clock.now() < this.#cached.renewAt) return this.#cached.identity;
    return this.renew(call);
  }

  /** Authenticates although the cached identity may be valid. */
  renew(call: CallContext): Promise<Identity> {
    return this.#renewals.run('', () => this.#renew(call));
  }

  /** Removes the identity with this token, unless it has been replaced already. */
  invalidate(rejectedToken: string): void {
    if (this.#cached?.identity.token !== rejectedToken) return;
    this.#cached = null;
    this.#refusedAt = this.#clock.now();
  }

  async #renew(call: CallContext): Promise<Identity> {
    // Perhaps for a new password. A clock that was corrected meanwhile makes the pause no longer.
    const leftMs = this.#refusedAt + REVOCATION_PAUSE_MS - this.#clock.now();
    if (leftMs > 0) await this.#sleep(Math.min(leftMs, REVOCATION_PAUSE_MS));
    const identity = await this.#authenticate(call);
    const now = this.#clock.now();
    const expiresAt = Date.parse(identity.expiresAt);
    const marginMs = Math.min(RENEW_BEFORE_MS, (expiresAt - now) * RENEW_BEFORE_FRACTION);
    this.#cached = { identity, renewAt: expiresAt - marginMs };
    return identity;
  }
}
