import type { SessionConfig } from '@gateway/config';
import type { Clock, Sealer } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/redis';

/** What is remembered of a token that the identity service found valid for a project. */
export interface RememberedToken {
  identity: Identity;
  sessionId: string;
  /** Until when it is believed without asking again, in milliseconds since the epoch. */
  until: number;
}

/** As stored: under the hash of the caller's token, with the text of a token only where it is another one. */
interface StoredToken {
  identity: Omit<Identity, 'token'>;
  sessionId: string;
  until: number;
  sealedToken?: string;
}

const PURPOSE = 'token';

/**
 * Remembers validated tokens for a short while, in the store, for all api processes. Kept under a hash; a
 * token that the gateway got for another project of the caller is sealed.
 */
export class TokenMemory {
  readonly #redis: Redis;
  readonly #sealer: Sealer;
  readonly #config: SessionConfig;
  readonly #clock: Clock;
  readonly #channel: string;

  /** Every process that remembers tokens by itself hears on `channel` of users to be forgotten. */
  constructor(redis: Redis, channel: string, sealer: Sealer, config: SessionConfig, clock: Clock) {
    this.#redis = redis;
    this.#channel = channel;
    this.#sealer = sealer;
    this.#config = config;
    this.#clock = clock;
  }

  /** `projectId` is the one the request names, '' for the token's own. Null when nothing is remembered. */
  async recall(token: string, tokenHash: string, projectId: string): Promise<RememberedToken | null> {
    const text = await this.#redis.get(recordKey(tokenHash, projectId));
    if (text === null) return null;
    const { identity, sessionId, until, sealedToken } = JSON.parse(text) as StoredToken;
    if (until <= this.#clock.now()) return null;
    const tokenUsed = sealedToken === undefined ? token : this.#sealer.open(PURPOSE, sealedToken);
    return { identity: { ...identity, token: tokenUsed }, sessionId, until };
  }

  /** Gives what is remembered from now on. */
  async remember(
    token: string,
    tokenHash: string,
    projectId: string,
    { identity, sessionId }: Omit<RememberedToken, 'until'>,
  ): Promise<void> {
    const until = this.believedUntil(identity);
    const ttlMs = until - this.#clock.now();
    if (ttlMs <= 0) return;
    const { token: tokenUsed, ...rest } = identity;
    const stored: StoredToken = { identity: rest, sessionId, until };
    if (tokenUsed !== token) stored.sealedToken = this.#sealer.seal(PURPOSE, tokenUsed);
    const key = recordKey(tokenHash, projectId);
    const ofUser = userKey(identity.userId);
    // Listed before it is there, as the two can not change at once: what is listed can be forgotten.
    await this.#redis
      .multi()
      .sadd(ofUser, key)
      .expire(ofUser, this.#config.tokenCacheSeconds + 1)
      .exec();
    await this.#redis.set(key, JSON.stringify(stored), 'PX', ttlMs);
  }

  /** For a token that was found valid just now; never past its own end. */
  believedUntil({ expiresAt }: Identity): number {
    return Math.min(this.#clock.now() + this.#config.tokenCacheSeconds * 1000, Date.parse(expiresAt));
  }

  /** Drops all that is remembered of a user, in every process. */
  async forgetUser(userId: string): Promise<void> {
    const keys = await this.#redis.smembers(userKey(userId));
    await Promise.all([userKey(userId), ...keys].map((key) => this.#redis.del(key)));
    await this.#redis.publish(this.#channel, userId);
  }
}

function recordKey(tokenHash: string, projectId: string): string {
  return `token:${tokenHash}:${projectId}`;
}

function userKey(userId: string): string {
  return `tokens-of:${userId}`;
}
