import type { Sealer } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/store';

const PURPOSE = 'issued-token';
/** Per session. Beyond this number the oldest tokens are dropped. */
const MAX_TOKENS = 100;

/** The tokens that the gateway has issued in a session, sealed, so that a log-out can revoke all of them. */
export class IssuedTokens {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  async add(sessionId: string, { expiresAt, token }: Identity): Promise<void> {
    const key = listKey(sessionId);
    await this.#redis
      .multi()
      .lpush(key, this.#sealer.seal(PURPOSE, token))
      .ltrim(key, 0, MAX_TOKENS - 1)
      .pexpireat(key, Date.parse(expiresAt))
      .exec();
  }

  async of(sessionId: string): Promise<string[]> {
    const sealed = await this.#redis.lrange(listKey(sessionId), 0, -1);
    // A token whose key is missing ends by itself.
    return sealed.map((text) => this.#sealer.openIfKnown(PURPOSE, text)).filter((token) => token !== null);
  }

  async remove(sessionId: string): Promise<void> {
    await this.#redis.del(listKey(sessionId));
  }
}

function listKey(sessionId: string): string {
  return `session-tokens:${sessionId}`;
}
