import { type Clock, fingerprint, systemClock } from '@gateway/core';
import { LRUCache } from 'lru-cache';
import type { Openstack } from './client.ts';
import { CachedIdentity } from './credentials/cached-identity.ts';
import type { ApplicationCredentialLogin } from './credentials/identity.ts';

/** More than the number of programs whose jobs a process runs within minutes. */
const MAX_CREDENTIALS = 1000;

/**
 * The identities of application credentials in memory, shared by all runs of the process that use the
 * credential. A waiting job is resumed many times, and each log-in costs the identity service a hash.
 */
export class ApplicationCredentialIdentities {
  readonly #openstack: Openstack;
  readonly #clock: Clock;
  readonly #identities = new LRUCache<string, CachedIdentity>({ max: MAX_CREDENTIALS });

  constructor(openstack: Openstack, clock: Clock = systemClock) {
    this.#openstack = openstack;
    this.#clock = clock;
  }

  of(login: ApplicationCredentialLogin): CachedIdentity {
    const key = `${login.id} ${fingerprint(login.secret)}`;
    const identity =
      this.#identities.get(key) ??
      // Only the request id of a call counts: other callers wait for the same token.
      new CachedIdentity(
        ({ requestId }) => this.#openstack.identity.authenticateApplicationCredential(login, { requestId }),
        this.#clock,
      );
    this.#identities.set(key, identity);
    return identity;
  }
}
