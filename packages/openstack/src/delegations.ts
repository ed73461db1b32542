import { type Clock, GatewayError, systemClock, toTimestamp } from '@gateway/core';
import type { CallContext } from './call.ts';
import type { Openstack } from './client.ts';
import type { ApplicationCredentialLogin, Identity } from './credentials/identity.ts';
import { type DelegationRefusal, refusalOf } from './delegation-refusal.ts';
import { isConflict, nullIfNotFound } from './errors/index.ts';
import { removeAsAny } from './remove-as-any.ts';
import type { ServiceAccount } from './service-account.ts';

/**
 * A trust from a user to the service user, as a job's identity. It outlasts a log-out or a password change.
 */
export interface Delegation {
  trustId: string;
  trustorId: string;
  projectId: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** An application credential with which a job gets its tokens. */
interface JobApplicationCredential extends ApplicationCredentialLogin {
  /** Until when the job may use it, ISO 8601. */
  expiresAt: string;
}

/** The user on whose behalf a job acts, and the credentials of the job. */
export interface DelegatedIdentity extends Identity {
  delegation?: Delegation;
  /** In place of a delegation, for a program that has logged in with it. */
  applicationCredential?: JobApplicationCredential;
  /** Why the job has no delegation and uses the token. */
  undelegated?: DelegationRefusal;
  /** The job creates other application credentials with it, which a delegation does not allow. */
  credentialMaker?: ApplicationCredentialLogin;
}

interface DelegationsOptions {
  openstack: Openstack;
  serviceAccount: ServiceAccount;
  clock?: Clock;
  /** Called once for each attempt to create a delegation. */
  onOutcome?(outcome: 'created' | DelegationRefusal, error?: unknown): void;
}

interface RequestedDelegation {
  roles: readonly string[];
  lifetimeMs: number;
  beforeCreate(expiresAt: string): Promise<void>;
}

const MAX_ATTEMPTS = 3;
/**
 * The expiry identifies a delegation, because few delegations of a user in a project
 * expire in the same second.
 */
const MAX_JITTER_MS = 12 * 3600 * 1000;

/** Creates and revokes delegations. */
export class Delegations {
  readonly #openstack: Openstack;
  readonly #account: ServiceAccount;
  readonly #clock: Clock;
  readonly #onOutcome: DelegationsOptions['onOutcome'];

  constructor({ openstack, serviceAccount, clock = systemClock, onOutcome }: DelegationsOptions) {
    this.#openstack = openstack;
    this.#account = serviceAccount;
    this.#clock = clock;
    this.#onOutcome = onOutcome;
  }

  /**
   * Delegates some of the user's roles in their project to the service user, for at most `lifetimeMs`. Of the
   * errors of the identity service it throws only a 401: the user has just logged out. `beforeCreate` gets
   * the expiry by which `find` recognises the delegation; after a conflict again, with another one.
   */
  async create(
    identity: Identity,
    { roles, lifetimeMs, beforeCreate }: RequestedDelegation,
    call: CallContext,
  ): Promise<Pick<DelegatedIdentity, 'delegation' | 'undelegated'>> {
    if (!this.#account.isConfigured) return { undelegated: 'no_service_user' };
    for (let attempt = 1; ; attempt += 1) {
      const expiresAt = expiryOf(this.#clock.now() + lifetimeMs);
      await beforeCreate(expiresAt);
      try {
        return { delegation: await this.createUntil(identity, { roles, expiresAt }, call) };
      } catch (error) {
        if (isConflict(error) && attempt < MAX_ATTEMPTS) continue;
        if (isLoggedOut(error)) throw error;
        return { undelegated: refusalOf(error, identity) };
      }
    }
  }

  /**
   * Delegates some of the user's roles in their project to the service user, until exactly this time. Throws
   * the errors of the identity service: a conflict if the time is taken. Throws a 503 without a service user.
   */
  async createUntil(
    identity: Identity,
    { roles, expiresAt }: { roles: readonly string[]; expiresAt: string },
    call: CallContext,
  ): Promise<Delegation> {
    const { projectId, userId: trustorId } = identity;
    try {
      const trustee = await this.#requireTrustee(call);
      const trust = await this.#openstack.as(identity, call).identity.trusts.create({
        trustor_user_id: trustorId,
        trustee_user_id: trustee.userId,
        project_id: projectId,
        impersonation: true,
        roles: roles.map((name) => ({ name })),
        expires_at: expiresAt,
      });
      this.#onOutcome?.('created');
      return { trustId: trust.id, trustorId, projectId, expiresAt: trust.expires_at ?? expiresAt };
    } catch (error) {
      // The caller retries with another time.
      if (!isConflict(error) && !isLoggedOut(error)) this.#onOutcome?.(refusalOf(error, identity), error);
      throw error;
    }
  }

  /**
   * The delegations of a user in a project that expire in exactly this second. Services
   * omit fractions of seconds.
   */
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
   * Revokes a delegation. Tries the user's own token if there is one, then the trust itself, then the service
   * account. Returns true if the delegation is revoked or expired. Returns false if no identity may revoke
   * it, so that it lasts until it expires.
   */
  async revoke(delegation: Delegation, owner: Identity | null, call: CallContext): Promise<boolean> {
    const identities = [
      async () => (owner === null || this.#isExpired(owner.expiresAt) ? null : owner),
      async () =>
        this.#account.isConfigured ? this.#account.identityFromTrust(delegation.trustId, call) : null,
      () => this.#account.identity(call),
    ];
    const isRemoved =
      this.#isExpired(delegation.expiresAt) ||
      (await removeAsAny(identities, (identity) =>
        this.#openstack.as(identity, call).identity.trusts.remove(delegation.trustId),
      ));
    return isRemoved || this.#isExpired(delegation.expiresAt);
  }

  /**
   * Whether the delegation was revoked before its end. One that has ended with the account of its user was
   * not. Throws a 403 if the service user may not read users.
   */
  async isRevoked({ expiresAt, trustId, trustorId }: Delegation, call: CallContext): Promise<boolean> {
    if (!this.#account.isConfigured || this.#isExpired(expiresAt)) return false;
    const trustee = await this.#requireTrustee(call);
    const { identity } = this.#openstack.as(trustee, { ...call, credentials: 'service' });
    // A read of a trust that is gone is refused to most users.
    const trusts = await identity.trusts.list({ trustee_user_id: trustee.userId });
    if (trusts.some(({ id }) => id === trustId)) return false;
    return (await nullIfNotFound(identity.users.get(trustorId))) !== null;
  }

  async #requireTrustee(call: CallContext): Promise<Identity> {
    const trustee = await this.#account.identity(call);
    if (trustee === null) {
      throw new GatewayError(
        503,
        'delegation_not_configured',
        'The gateway has no user to delegate to: the configuration does not define service_user.',
      );
    }
    return trustee;
  }

  #isExpired(expiresAt: string): boolean {
    return Date.parse(expiresAt) <= this.#clock.now();
  }
}

/** Whether the user's token was rejected. A rejected password of the service user is a 502. */
function isLoggedOut(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 401;
}

/**
 * The roles without the administrator's, unless there are no others. Most work needs no
 * rights outside the project.
 */
export function rolesToDelegate({ roles }: Pick<Identity, 'roles'>, adminRole: string): string[] {
  const others = roles.filter((role) => role !== adminRole);
  return others.length > 0 ? others : roles;
}

/**
 * A random expiry within half a day before `latestMs`. The identity service rejects a trust whose users,
 * project and expiry (in microseconds) equal those of another trust, even a deleted one.
 */
function expiryOf(latestMs: number): string {
  const at = new Date(latestMs - Math.floor(Math.random() * MAX_JITTER_MS));
  const micros = Math.floor(Math.random() * 1000);
  return at.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
