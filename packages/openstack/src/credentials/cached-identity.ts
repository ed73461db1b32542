import { type Clock, systemClock } from '@gateway/core';
import type { CallContext } from '../call-context.ts';
import type { Identity } from './identity.ts';

/** Renewed this long before its expiry, because services use a token for a while after their response. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Share of a short token lifetime. */
const RENEW_BEFORE_FRACTION = 0.25;

/** An in-memory identity that is renewed before its token expires. Concurrent callers share one renewal. */
export class CachedIdentity {
  readonly #authenticate: (call: CallContext) => Promise<Identity>;
  readonly #clock: Clock;
  #cached: { identity: Identity; renewAt: number } | null = null;
  #pending: Promise<Identity> | null = null;

  constructor(authenticate: (call: CallContext) => Promise<Identity>, clock: Clock = systemClock) {
    this.#authenticate = authenticate;
    this.#clock = clock;
  }

  async get(call: CallContext): Promise<Identity> {
    if (this.#cached !== null && this.#clock.now() < this.#cached.renewAt) return this.#cached.identity;
    this.#pending ??= this.#renew(call).finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  /** Removes the identity with this token, unless it has been replaced already. */
  invalidate(rejectedToken: string): void {
    if (this.#cached?.identity.token === rejectedToken) this.#cached = null;
  }

  async #renew(call: CallContext): Promise<Identity> {
    const identity = await this.#authenticate(call);
    const now = this.#clock.now();
    const expiresAt = Date.parse(identity.expiresAt);
    const marginMs = Math.min(RENEW_BEFORE_MS, (expiresAt - now) * RENEW_BEFORE_FRACTION);
    this.#cached = { identity, renewAt: expiresAt - marginMs };
    return identity;
  }
}
