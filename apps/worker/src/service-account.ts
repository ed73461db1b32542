import type { Config } from '@gateway/config';
import type { BoundClient, CallContext, Identity, Openstack } from '@gateway/openstack';

/** A token is renewed this long before it ends. */
const RENEW_BEFORE_MS = 5 * 60_000;

/** The gateway's own user in the cloud; its token is kept in memory and renewed in time. */
export class ServiceAccount {
  readonly #openstack: Openstack;
  readonly #config: Config;
  #identity: Promise<Identity> | null = null;

  constructor(openstack: Openstack, config: Config) {
    this.#openstack = openstack;
    this.#config = config;
  }

  /** Null when none is configured. */
  async bind(call: CallContext): Promise<BoundClient | null> {
    const { serviceUser, secrets } = this.#config;
    if (serviceUser === null || secrets.servicePassword === null) return null;
    const asService: CallContext = { ...call, credentials: 'service' };
    const current = await this.#identity?.catch(() => null);
    if (current == null || Date.parse(current.expiresAt) - RENEW_BEFORE_MS < Date.now()) {
      this.#identity = this.#openstack.identity.authenticate(
        {
          username: serviceUser.username,
          password: secrets.servicePassword,
          domainName: serviceUser.userDomain,
          project: { name: serviceUser.projectName, domainName: serviceUser.projectDomain },
        },
        asService,
      );
    }
    const identity = await this.#identity;
    return identity === null ? null : this.#openstack.as(identity, asService);
  }
}
