import type { SessionConfig } from '@gateway/config';
import type { Clock, Sealer } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Redis } from '@gateway/redis';

/** What the identity service has told of a token. */
export interface RememberedToken {
  identity: Identity;
  /** Until when it is believed without asking again, in milliseconds since the epoch. */
  until: number;
}

/** What is remembered for a token and the project that a request names. */
export interface Remembered {
  /** The token's own identity. */
  own: RememberedToken | null;
  /** The identity in the named project, which may be the token's own. */
  named: RememberedToken | null;
}

/** As stored: under the hash of the caller's token, with the text of a token only where it is another one. */
interface StoredToken {
  identity: Omit<Identity, 'token'>;
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

  /** `projectId` is the one the request names, '' for the token's own. */
  async recall(token: string, tokenHash: string, projectId: string): Promise<Remembered> {
    const [own, named] = await Promise.all([
      this.#read(token, recordKey(tokenHash, '')),
      projectId === '' ? null : this.#read(token, recordKey(tokenHash, projectId)),
    ]);
    const isOwn = projectId === '' || projectId === own?.identity.projectId;
    return { own, named: isOwn ? own : named };
  }

  /** `token` is the one the caller sends; the identity's may be another, of another project. */
  async remember(token: string, tokenHash: string, { identity, until }: RememberedToken): Promise<void> {
    const now = this.#clock.now();
    if (until <= now) return;
    const { token: tokenUsed, ...rest } = identity;
    const isOwn = tokenUsed === token;
    const stored: StoredToken = { identity: rest, until };
    if (!isOwn) stored.sealedToken = this.#sealer.seal(PURPOSE, tokenUsed);
    const key = recordKey(tokenHash, isOwn ? '' : identity.projectId);
    const ofUser = userKey(identity.userId);
    // Listed before it is there, as the two can not change at once: what is listed can be forgotten.
    await this.#redis
      .multi()
      .zremrangebyscore(ofUser, '-inf', now)
      .zadd(ofUser, until, key)
      .expire(ofUser, this.#config.tokenCacheSeconds + 1)
      .exec();
    await this.#redis.set(key, JSON.stringify(stored), 'PX', until - now);
  }

  /**
   * For an identity that was asked for at `askedAt`; never past the token's end. This is the one figure that bounds how
   * long a revoked token, a lost role or a disabled user still serves, whichever cache answers.
   */
  believedUntil({ expiresAt }: Identity, askedAt: number): number {
    return Math.min(askedAt + this.#config.tokenCacheSeconds * 1000, Date.parse(expiresAt));
  }

  /** Drops all that is remembered of a user, in every process. */
  async forgetUser(userId: string): Promise<void> {
    const keys = await this.#redis.zrange(userKey(userId), 0, '-1');
    await Promise.all([userKey(userId), ...keys].map((key) => this.#redis.del(key)));
    await this.#redis.publish(this.#channel, userId);
  }

  async #read(token: string, key: string): Promise<RememberedToken | null> {
    const text = await this.#redis.get(key);
    if (text === null) return null;
    const { identity, until, sealedToken } = JSON.parse(text) as StoredToken;
    if (until <= this.#clock.now()) return null;
    const tokenUsed = sealedToken === undefined ? token : this.#sealer.open(PURPOSE, sealedToken);
    return { identity: { ...identity, token: tokenUsed }, until };
  }
}

function recordKey(tokenHash: string, projectId: string): string {
  return `validated:${tokenHash}:${projectId}`;
}

function userKey(userId: string): string {
  return `validated-of:${userId}`;
}
