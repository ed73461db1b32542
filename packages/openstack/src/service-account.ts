import type { Config } from '@gateway/config';
import { type Clock, systemClock } from '@gateway/core';
import type { CallContext } from './call-context.ts';
import type { BoundClient, Openstack } from './client.ts';
import type { Identity, PasswordCredentials } from './identity/identity.ts';
import type { IdentitySource } from './identity/identity-source.ts';
import { KeptIdentity } from './identity/kept-identity.ts';

export type ServiceAccountConfig = Pick<Config, 'serviceUser' | 'identity'> & {
  secrets: Pick<Config['secrets'], 'servicePassword'>;
};

/**
 * The gateway's own user in the cloud. With one password it signs in as itself, and as the users who have trusted
 * it; its own token is kept in memory and renewed in time.
 */
export class ServiceAccount {
  readonly #openstack: Openstack;
  readonly #login: PasswordCredentials | null;
  readonly #project: PasswordCredentials['project'];
  readonly #adminRole: string;
  readonly #own: KeptIdentity;

  constructor(openstack: Openstack, config: ServiceAccountConfig, clock: Clock = systemClock) {
    const { serviceUser, secrets, identity } = config;
    this.#openstack = openstack;
    this.#adminRole = identity.adminRole;
    this.#login =
      serviceUser === null || secrets.servicePassword === null
        ? null
        : {
            username: serviceUser.username,
            password: secrets.servicePassword,
            domainName: serviceUser.userDomain,
          };
    this.#project = serviceUser
      ? { name: serviceUser.projectName, domainName: serviceUser.projectDomain }
      : undefined;
    this.#own = new KeptIdentity((call) => this.#signIn({ project: this.#project }, call), clock);
  }

  get isConfigured(): boolean {
    return this.#login !== null;
  }

  /** In its own project; null when none is configured. */
  async identity(call: CallContext): Promise<Identity | null> {
    return this.#login === null ? null : this.#own.get(call);
  }

  /** The services as it reaches them, however long that takes; null when none is configured. */
  async bind(call: CallContext): Promise<BoundClient | null> {
    if ((await this.identity(call)) === null) return null;
    return this.#openstack.as(this.#source(call), asService(call));
  }

  /**
   * Standing in for the members of a project, to find and remove what was made there; null when it may not: a user
   * without the administrator's role is told that what it looks for is not there, which must not be believed.
   */
  async standIn(projectId: string, call: CallContext): Promise<Identity | null> {
    const identity = await this.identity(call);
    if (!identity?.roles.includes(this.#adminRole)) return null;
    return identity.projectId === projectId ? identity : { ...identity, standsInFor: projectId };
  }

  /**
   * As the user who made the trust. What is thrown when the trust holds no more is a refusal (`isRefusal`); not to be
   * called when no service user is configured.
   */
  throughTrust(trustId: string, call: CallContext): Promise<Identity> {
    return this.#signIn({ trustId }, call);
  }

  /** A token of its own that a service has refused. */
  drop(token: string): void {
    this.#own.drop(token);
  }

  /** Others wait for the same token: it is not called off with the one who asked first. */
  #signIn(
    scope: Pick<PasswordCredentials, 'project' | 'trustId'>,
    { requestId }: CallContext,
  ): Promise<Identity> {
    if (this.#login === null) throw new Error('There is no service user.');
    return this.#openstack.identity.authenticate({ ...this.#login, ...scope }, asService({ requestId }));
  }

  #source(call: CallContext): IdentitySource {
    return {
      current: () => this.#own.get(call),
      replace: (refused) => {
        this.drop(refused.token);
        return this.#own.get(call);
      },
    };
  }
}

/** A refusal of its password or token is a fault of the gateway, not of a caller. */
function asService(call: CallContext): CallContext {
  return { ...call, credentials: 'service' };
}
