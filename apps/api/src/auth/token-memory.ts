import type { SessionConfig } from '@gateway/config';
import type { Clock, Sealer } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/redis';
import { LRUCache } from 'lru-cache';

/** What is remembered of a token that the identity service found valid for a project. */
export interface RememberedToken {
  identity: Identity;
  sessionId: string;
}

/** As stored: under the hash of the caller's token, with the text of a token only where it is another one. */
interface StoredToken {
  identity: Omit<Identity, 'token'>;
  sessionId: string;
  sealedToken?: string;
}

const PURPOSE = 'token';
const PARSED_ENTRIES = 10_000;

/**
 * Remembers validated tokens for a short while, in the store, for all api processes. Kept under a hash; a
 * token that the gateway got for another project of the caller is sealed.
 */
export class TokenMemory {
  readonly #redis: Redis;
  readonly #sealer: Sealer;
  readonly #config: SessionConfig;
  readonly #clock: Clock;
  /** Parsing costs more than reading: the same text is parsed once. */
  readonly #parsed = new LRUCache<string, { text: string; remembered: RememberedToken }>({
    max: PARSED_ENTRIES,
  });

  constructor(redis: Redis, sealer: Sealer, config: SessionConfig, clock: Clock) {
    this.#redis = redis;
    this.#sealer = sealer;
    this.#config = config;
    this.#clock = clock;
  }

  /** `projectId` is the one the request names, '' for the token's own. Null when nothing is remembered. */
  async recall(token: string, tokenHash: string, projectId: string): Promise<RememberedToken | null> {
    const key = recordKey(tokenHash, projectId);
    const text = await this.#redis.get(key);
    if (text === null) return null;
    const known = this.#parsed.get(key);
    const remembered = known?.text === text ? known.remembered : this.#parse(token, text);
    if (known?.remembered !== remembered) this.#parsed.set(key, { text, remembered });
    return Date.parse(remembered.identity.expiresAt) > this.#clock.now() ? remembered : null;
  }

  async remember(
    token: string,
    tokenHash: string,
    projectId: string,
    { identity, sessionId }: RememberedToken,
  ): Promise<void> {
    const ttlMs = Math.min(
      this.#config.tokenCacheSeconds * 1000,
      Date.parse(identity.expiresAt) - this.#clock.now(),
    );
    if (ttlMs <= 0) return;
    const { token: tokenUsed, ...rest } = identity;
    const stored: StoredToken = { identity: rest, sessionId };
    if (tokenUsed !== token) stored.sealedToken = this.#sealer.seal(PURPOSE, tokenUsed);
    const key = recordKey(tokenHash, projectId);
    const ofUser = userKey(identity.userId);
    await this.#redis
      .multi()
      .set(key, JSON.stringify(stored), 'PX', ttlMs)
      .sadd(ofUser, key)
      .expire(ofUser, this.#config.tokenCacheSeconds + 1)
      .exec();
  }

  /** Drops all that is remembered of a user, in every process. */
  async forgetUser(userId: string): Promise<void> {
    const keys = await this.#redis.smembers(userKey(userId));
    await this.#redis.del(userKey(userId), ...keys);
  }

  #parse(token: string, text: string): RememberedToken {
    const { identity, sessionId, sealedToken } = JSON.parse(text) as StoredToken;
    const tokenUsed = sealedToken === undefined ? token : this.#sealer.open(PURPOSE, sealedToken);
    return { identity: { ...identity, token: tokenUsed }, sessionId };
  }
}

function recordKey(tokenHash: string, projectId: string): string {
  return `token:${tokenHash}:${projectId}`;
}

function userKey(userId: string): string {
  return `tokens-of:${userId}`;
}
