import { type Clock, systemClock } from '@gateway/core';
import type { CallContext } from './call-context.ts';
import type { Openstack } from './client.ts';
import { isConflict, isNotFound, UpstreamError } from './errors.ts';
import type { Identity } from './identity/identity.ts';
import type { ServiceAccount } from './service-account.ts';

/** A user's trust in the gateway's own user: work goes on with it when the user's token has ended. */
export interface Delegation {
  trustId: string;
  trustorId: string;
  projectId: string;
  /** ISO 8601; it ends then by itself, if nobody ends it before. */
  expiresAt: string;
}

/** Who a job works for, and by what right it goes on when his token has ended. */
export interface DelegatedIdentity extends Identity {
  delegation?: Delegation;
}

export interface DelegationsOptions {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
  clock?: Clock;
  /** The cloud made no trust: it has none, refuses this caller, or is away. */
  onRefused?(error: unknown): void;
}

const TRIES = 3;
const SPREAD_MS = 60_000;

/** Makes and ends delegations. */
export class Delegations {
  readonly #openstack: Openstack;
  readonly #account: ServiceAccount;
  readonly #clock: Clock;
  readonly #onRefused: DelegationsOptions['onRefused'];

  constructor({ openstack, serviceAccount, clock = systemClock, onRefused }: DelegationsOptions) {
    this.#openstack = openstack;
    this.#account = serviceAccount;
    this.#clock = clock;
    this.#onRefused = onRefused;
  }

  /**
   * Delegates what the caller may do in his project, for `lifetimeMs` at most. Null where that can not be had: then
   * there is only his token. What is thrown by the identity service is never the caller's concern.
   */
  async make(identity: Identity, lifetimeMs: number, call: CallContext): Promise<Delegation | null> {
    if (!this.#account.isConfigured) return null;
    try {
      const trustee = await this.#account.identity(call);
      return trustee === null ? null : await this.#create(identity, trustee.userId, lifetimeMs, call);
    } catch (error) {
      this.#onRefused?.(error);
      return null;
    }
  }

  /**
   * Ends a delegation; one that has ended already counts as ended. The user's own token is used while it works, else
   * the trust itself, else the service account. False when none of them may: then it goes on until it ends by itself.
   */
  async end(delegation: Delegation, owner: Identity, call: CallContext): Promise<boolean> {
    const ways = [
      async () => (this.#isOver(owner.expiresAt) ? null : owner),
      async () => (this.#account.isConfigured ? this.#account.throughTrust(delegation.trustId, call) : null),
      () => this.#account.identity(call),
    ];
    for (const way of ways) {
      if (this.#isOver(delegation.expiresAt)) return true;
      try {
        const identity = await way();
        if (identity === null) continue;
        await this.#openstack.as(identity, call).identity.trusts.remove(delegation.trustId);
        return true;
      } catch (error) {
        if (isNotFound(error)) return true;
        if (!isRefusal(error)) throw error;
      }
    }
    return false;
  }

  async #create(
    identity: Identity,
    trusteeId: string,
    lifetimeMs: number,
    call: CallContext,
  ): Promise<Delegation> {
    for (let tries = 1; ; tries += 1) {
      try {
        const trust = await this.#openstack.as(identity, call).identity.trusts.create({
          trustor_user_id: identity.userId,
          trustee_user_id: trusteeId,
          project_id: identity.projectId,
          impersonation: true,
          roles: identity.roles.map((name) => ({ name })),
          expires_at: expiryOf(this.#clock.now() + lifetimeMs),
        });
        return {
          trustId: trust.id,
          trustorId: identity.userId,
          projectId: identity.projectId,
          expiresAt: trust.expires_at ?? new Date(this.#clock.now() + lifetimeMs).toISOString(),
        };
      } catch (error) {
        if (!isConflict(error) || tries === TRIES) throw error;
      }
    }
  }

  #isOver(expiresAt: string): boolean {
    return Date.parse(expiresAt) <= this.#clock.now();
  }
}

/** Whoever signs in so, or brings this token, is not let in: another way may work, a repetition does not. */
export function isRefusal(thrown: unknown): boolean {
  return (
    thrown instanceof UpstreamError &&
    (thrown.upstreamStatus === 401 || thrown.upstreamStatus === 403 || thrown.upstreamStatus === 404)
  );
}

/**
 * The identity service takes no two trusts between the same users in the same project that end in the same
 * microsecond, not even after one of them is deleted. So each ends at a time of its own.
 */
function expiryOf(latestMs: number): string {
  const at = new Date(latestMs - Math.floor(Math.random() * SPREAD_MS));
  const micros = Math.floor(Math.random() * 1000);
  return at.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
