import { type Clock, GatewayError, systemClock, toTimestamp } from '@gateway/core';
import type { CallContext } from './call-context.ts';
import type { Openstack } from './client.ts';
import type { Identity } from './credentials/identity.ts';
import { isConflict, isCredentialRejected, isNotFound } from './errors/index.ts';
import type { ServiceAccount } from './service-account.ts';

/** A trust from a user to the service user, with which a job continues after the user's token has expired. */
export interface Delegation {
  trustId: string;
  trustorId: string;
  projectId: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** The user for whom a job works, and the delegation for the time after their token has expired. */
export interface DelegatedIdentity extends Identity {
  delegation?: Delegation;
}

export interface DelegationsOptions {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
  clock?: Clock;
  /** Called if the trust could not be created: not supported, forbidden, or the identity service is unavailable. */
  onCreateFailed?(error: unknown): void;
}

const MAX_ATTEMPTS = 3;
const MAX_JITTER_MS = 60_000;

/** Creates and revokes delegations. */
export class Delegations {
  readonly #openstack: Openstack;
  readonly #account: ServiceAccount;
  readonly #clock: Clock;
  readonly #onCreateFailed: DelegationsOptions['onCreateFailed'];

  constructor({ openstack, serviceAccount, clock = systemClock, onCreateFailed }: DelegationsOptions) {
    this.#openstack = openstack;
    this.#account = serviceAccount;
    this.#clock = clock;
    this.#onCreateFailed = onCreateFailed;
  }

  /**
   * Delegates the user's roles in their project to the service user, for at most `lifetimeMs`. Null if no delegation can
   * be created; never throws errors of the identity service.
   */
  async create(identity: Identity, lifetimeMs: number, call: CallContext): Promise<Delegation | null> {
    if (!this.#account.isConfigured) return null;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const expiresAt = expiryOf(this.#clock.now() + lifetimeMs);
        return await this.createUntil(identity, { roles: identity.roles, expiresAt }, call);
      } catch (error) {
        if (isConflict(error) && attempt < MAX_ATTEMPTS) continue;
        this.#onCreateFailed?.(error);
        return null;
      }
    }
  }

  /**
   * Delegates some of the user's roles in their project to the service user, until exactly this time. Throws errors of the
   * identity service: a conflict if the time is taken. Throws a 503 without a service user.
   */
  async createUntil(
    identity: Identity,
    { roles, expiresAt }: { roles: readonly string[]; expiresAt: string },
    call: CallContext,
  ): Promise<Delegation> {
    const trustee = await this.#requireTrustee(call);
    const trust = await this.#openstack.as(identity, call).identity.trusts.create({
      trustor_user_id: identity.userId,
      trustee_user_id: trustee.userId,
      project_id: identity.projectId,
      impersonation: true,
      roles: roles.map((name) => ({ name })),
      expires_at: expiresAt,
    });
    return {
      trustId: trust.id,
      trustorId: identity.userId,
      projectId: identity.projectId,
      expiresAt: trust.expires_at ?? expiresAt,
    };
  }

  /** The delegations of a user in a project that expire in exactly this second: services show no fraction of it. */
  async find(
    { trustorId, projectId, expiresAt }: Omit<Delegation, 'trustId'>,
    call: CallContext,
  ): Promise<Delegation[]> {
    const trustee = await this.#requireTrustee(call);
    const client = this.#openstack.as(trustee, { ...call, credentials: 'service' });
    const trusts = await client.identity.trusts.list({ trustee_user_id: trustee.userId });
    return trusts
      .filter(
        (trust) =>
          trust.trustor_user_id === trustorId &&
          trust.project_id === projectId &&
          toTimestamp(trust.expires_at) === toTimestamp(expiresAt),
      )
      .map(({ id }) => ({ trustId: id, trustorId, projectId, expiresAt }));
  }

  /**
   * Revokes a delegation. Tries the user's own token if there is one, then the trust itself, then the service account. True
   * if the delegation is revoked or has expired; false if no identity is allowed to revoke it, so that it lasts until it expires.
   */
  async revoke(delegation: Delegation, owner: Identity | null, call: CallContext): Promise<boolean> {
    const identities = [
      async () => (owner === null || this.#isExpired(owner.expiresAt) ? null : owner),
      async () =>
        this.#account.isConfigured ? this.#account.identityFromTrust(delegation.trustId, call) : null,
      () => this.#account.identity(call),
    ];
    for (const getIdentity of identities) {
      if (this.#isExpired(delegation.expiresAt)) return true;
      try {
        const identity = await getIdentity();
        if (identity === null) continue;
        await this.#openstack.as(identity, call).identity.trusts.remove(delegation.trustId);
        return true;
      } catch (error) {
        if (isNotFound(error)) return true;
        if (!isCredentialRejected(error)) throw error;
      }
    }
    return false;
  }

  async #requireTrustee(call: CallContext): Promise<Identity> {
    const trustee = await this.#account.identity(call);
    if (trustee === null) {
      throw new GatewayError(503, 'delegation_not_configured', 'The gateway has no user to delegate to.');
    }
    return trustee;
  }

  #isExpired(expiresAt: string): boolean {
    return Date.parse(expiresAt) <= this.#clock.now();
  }
}

/**
 * A random expiry up to a minute before `latestMs`. The identity service rejects a trust between the same users in the
 * same project that expires in the same microsecond as another one, even a deleted one.
 */
function expiryOf(latestMs: number): string {
  const at = new Date(latestMs - Math.floor(Math.random() * MAX_JITTER_MS));
  const micros = Math.floor(Math.random() * 1000);
  return at.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
