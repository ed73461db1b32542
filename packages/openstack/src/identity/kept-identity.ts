import { type Clock, systemClock } from '@gateway/core';
import type { CallContext } from '../call-context.ts';
import type { Identity } from './identity.ts';

/** A token is renewed so long before it ends: services go on working with it after they have answered. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Of a token's life, where that is short. */
const RENEW_BEFORE_PART = 0.25;

/** An identity that can be had again: kept in memory, renewed before its end. Who asks meanwhile waits with the others. */
export class KeptIdentity {
  readonly #obtain: (call: CallContext) => Promise<Identity>;
  readonly #clock: Clock;
  #kept: { identity: Identity; renewAt: number } | null = null;
  #coming: Promise<Identity> | null = null;

  constructor(obtain: (call: CallContext) => Promise<Identity>, clock: Clock = systemClock) {
    this.#obtain = obtain;
    this.#clock = clock;
  }

  async get(call: CallContext): Promise<Identity> {
    if (this.#kept !== null && this.#clock.now() < this.#kept.renewAt) return this.#kept.identity;
    this.#coming ??= this.#renew(call).finally(() => {
      this.#coming = null;
    });
    return this.#coming;
  }

  /** Not to be given out any more; nothing happens when it has been renewed already. */
  drop(refusedToken: string): void {
    if (this.#kept?.identity.token === refusedToken) this.#kept = null;
  }

  async #renew(call: CallContext): Promise<Identity> {
    const identity = await this.#obtain(call);
    const now = this.#clock.now();
    const endsAt = Date.parse(identity.expiresAt);
    const marginMs = Math.min(RENEW_BEFORE_MS, (endsAt - now) * RENEW_BEFORE_PART);
    this.#kept = { identity, renewAt: endsAt - marginMs };
    return identity;
  }
}
