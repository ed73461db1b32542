import { type Clock, isYetToCome, systemClock } from '@gateway/core';
import type { Config } from '@gateway/platform';
import { LRUCache } from 'lru-cache';
import type { CallContext } from './call.ts';
import type { BoundClient, Openstack, ProjectClient } from './client.ts';
import { CachedIdentity } from './credentials/cached-identity.ts';
import { domainReference } from './credentials/domain-reference.ts';
import type { Identity, PasswordCredentials } from './credentials/identity.ts';
import type { IdentitySource } from './credentials/identity-source.ts';
import { isCredentialRejected, ServiceUserRefusedError } from './errors/index.ts';

type ServiceAccountConfig = Pick<Config, 'identity'> & {
  serviceUser: Omit<NonNullable<Config['serviceUser']>, 'checkSeconds'> | null;
  secrets: Pick<Config['secrets'], 'servicePassword'>;
};

interface ServiceAccountEvents {
  /**
   * Called after each log-in to its own project. `refused` if the identity service rejects the user or the
   * password, `failed` if it does not respond.
   */
  onLogIn?(outcome: 'succeeded' | 'refused' | 'failed', identity: Identity | null): void;
}

/**
 * How long a refusal counts for later log-ins. Identity services lock users after some wrong passwords, and
 * each log-in costs them a password hash, however many jobs wait for this user.
 */
const REFUSAL_MS = 10_000;

/** More than the number of jobs that a process runs within minutes. A dropped trust costs one more log-in. */
const MAX_TRUSTS = 1000;

/**
 * The gateway's own user in the cloud. With its password the gateway authenticates as this user, and through
 * trusts as their trustors. Its own token is cached in memory and renewed before it expires.
 */
export class ServiceAccount {
  readonly #openstack: Openstack;
  readonly #config: ServiceAccountConfig;
  readonly #project: PasswordCredentials['project'];
  readonly #adminRole: string;
  readonly #cached: CachedIdentity;
  readonly #clock: Clock;
  #refusal: { error: ServiceUserRefusedError; until: number } | null = null;
  /** By trust, the least recently used first. */
  readonly #trusts = new LRUCache<string, CachedIdentity>({ max: MAX_TRUSTS });

  constructor(
    openstack: Openstack,
    config: ServiceAccountConfig,
    clock: Clock = systemClock,
    events: ServiceAccountEvents = {},
  ) {
    const { serviceUser, identity } = config;
    this.#openstack = openstack;
    this.#config = config;
    this.#clock = clock;
    this.#adminRole = identity.adminRole;
    this.#project = serviceUser
      ? { name: serviceUser.projectName, domain: domainReference(serviceUser.projectDomain) }
      : undefined;
    const logIn = (call: CallContext) =>
      reportLogIn(this.#authenticate({ project: this.#project }, call), events);
    this.#cached = new CachedIdentity((call) => this.#noteRefusal(logIn(call)), clock);
  }

  /** Its password is read each time, because it can change while the process runs. */
  get #credentials(): PasswordCredentials | null {
    const { secrets, serviceUser } = this.#config;
    if (serviceUser === null || secrets.servicePassword === null) return null;
    return {
      username: serviceUser.username,
      password: secrets.servicePassword,
      domain: domainReference(serviceUser.userDomain),
    };
  }

  get isConfigured(): boolean {
    return this.#credentials !== null;
  }

  /** Its identity in its own project; null without a configured service user. */
  async identity(call: CallContext): Promise<Identity | null> {
    return this.#credentials === null ? null : this.#cached.get(call);
  }

  /**
   * Logs in again, although its token may still be valid: a new password or a lost role shows in the next
   * log-in only.
   */
  async renew(call: CallContext): Promise<void> {
    if (this.#credentials !== null) await this.#cached.renew(call);
  }

  /** The same with a new password, without waiting for the end of a refusal of the old one. */
  async tryNewPassword(call: CallContext): Promise<void> {
    this.#refusal = null;
    await this.renew(call);
  }

  /** A client with its identity, whose token is renewed as needed; null without a configured service user. */
  async bind(call: CallContext): Promise<BoundClient | null> {
    if ((await this.identity(call)) === null) return null;
    return this.#openstack.as(this.#source(call), asService(call));
  }

  /** The same, limited to its own project. */
  async bindToOwnProject(call: CallContext): Promise<ProjectClient | null> {
    const identity = await this.identity(call);
    if (identity === null) return null;
    return this.#openstack.forProject(this.#source(call), asService(call), identity.projectId);
  }

  /**
   * An identity that finds and removes resources of any project. Null if the service user is not an
   * administrator: other users get a 404 for resources of other projects.
   */
  async identityForProject(projectId: string, call: CallContext): Promise<Identity | null> {
    const identity = await this.identity(call);
    if (!identity?.roles.includes(this.#adminRole)) return null;
    return identity.projectId === projectId ? identity : { ...identity, actingForProjectId: projectId };
  }

  /**
   * The identity of the trustor. Throws an error that matches `isCredentialRejected` if the trust is no
   * longer valid. Requires a configured service user.
   *
   * @throws ServiceUserRefusedError if the service user itself is refused: the identity service answers that
   * as it answers a trust that is not valid
   */
  async identityFromTrust(trustId: string, call: CallContext): Promise<Identity> {
    try {
      return await this.#authenticate({ trustId }, call);
    } catch (error) {
      if (isCredentialRejected(error)) await this.renew(call);
      throw error;
    }
  }

  /**
   * The trustor's identity in memory, shared by all runs of the process that use the trust. A waiting job is
   * resumed many times, and each log-in costs the identity service a password hash.
   */
  trustIdentity(trustId: string): CachedIdentity {
    const identity =
      this.#trusts.get(trustId) ??
      new CachedIdentity((call) => this.identityFromTrust(trustId, call), this.#clock);
    this.#trusts.set(trustId, identity);
    return identity;
  }

  /** Removes its own token from the cache after a service rejected the token. */
  invalidate(token: string): void {
    this.#cached.invalidate(token);
  }

  /**
   * Uses only the request id of the call. Other callers wait for the same token, so its
   * signal must not apply.
   */
  async #authenticate(
    scope: Pick<PasswordCredentials, 'project' | 'trustId'>,
    { requestId }: CallContext,
  ): Promise<Identity> {
    if (this.#credentials === null) throw new Error('There is no service user.');
    const refusal = this.#refusal;
    if (refusal !== null && isYetToCome(refusal.until, REFUSAL_MS, this.#clock)) throw refusal.error;
    return this.#openstack.identity.authenticate(
      { ...this.#credentials, ...scope },
      asService({ requestId }),
    );
  }

  async #noteRefusal(logIn: Promise<Identity>): Promise<Identity> {
    try {
      const identity = await logIn;
      this.#refusal = null;
      return identity;
    } catch (cause) {
      if (!isCredentialRejected(cause)) throw cause;
      const error = new ServiceUserRefusedError(cause);
      this.#refusal = { error, until: this.#clock.now() + REFUSAL_MS };
      throw error;
    }
  }

  #source(call: CallContext): IdentitySource {
    return {
      current: () => this.#cached.get(call),
      replace: (rejected) => {
        this.invalidate(rejected.token);
        return this.#cached.get(call);
      },
    };
  }
}

async function reportLogIn(logIn: Promise<Identity>, { onLogIn }: ServiceAccountEvents): Promise<Identity> {
  try {
    const identity = await logIn;
    onLogIn?.('succeeded', identity);
    return identity;
  } catch (error) {
    onLogIn?.(isCredentialRejected(error) ? 'refused' : 'failed', null);
    throw error;
  }
}

/** A rejected password or token of the service user is an error of the gateway, not of the API user. */
function asService(call: CallContext): CallContext {
  return { ...call, credentials: 'service' };
}
