import { domainReference, type Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/store';

/** A field per domain of the cloud at most, so nothing has to expire. */
const KEY = 'seen-domains';

/**
 * The names of the domains whose users have logged in, by id. A log-in can name its domain either way, and
 * failed ones count once. See decision 34.
 */
export class SeenDomains {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Of a user who has logged in. */
  async add({ userDomainId, userDomainName }: Identity): Promise<void> {
    await this.#redis.hset(KEY, userDomainId, userDomainName);
  }

  /**
   * The name of the domain that a log-in names by name or id. The text itself for a domain without a log-in
   * so far, and while the store is unavailable.
   */
  async nameOf(text: string): Promise<string> {
    if (!('id' in domainReference(text))) return text;
    const name = await this.#redis.hget(KEY, text).catch(() => null);
    return name ?? text;
  }
}
