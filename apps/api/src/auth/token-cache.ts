import { type Clock, formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { SessionConfig } from '@gateway/platform';
import type { Redis } from '@gateway/store';

/** A result of the identity service. */
export interface ValidatedToken {
  identity: Identity;
  /**
   * Until then the result is used without asking the identity service again. Milliseconds since the epoch.
   */
  validUntil: number;
}

/** The cached results for a token and the project that a request names. */
export interface CachedTokens {
  /** The token's own identity. */
  own: ValidatedToken | null;
  /** The identity in the named project, which may be the token's own project. */
  named: ValidatedToken | null;
}

/** The stored record. Its key holds the hash of the caller's token. */
interface StoredToken {
  identity: Omit<Identity, 'token'>;
  until: number;
  /** Present only for a token that the gateway obtained for another project. */
  sealedToken?: string;
}

const PURPOSE = 'token';

/**
 * Caches validated tokens in the store for a short time, for all api processes. Tokens are stored as hashes.
 * The gateway may have obtained a token for another project of the caller; such a token is sealed.
 */
export class TokenCache {
  readonly #redis: Redis;
  readonly #sealer: Sealer;
  readonly #config: SessionConfig;
  readonly #clock: Clock;
  readonly #channel: string;

  /**
   * Invalidated users are published on `channel`, where every in-process token cache listens. Any character
   * may be in an id: a directory may identify people by their names.
   */
  constructor(redis: Redis, channel: string, sealer: Sealer, config: SessionConfig, clock: Clock) {
    this.#redis = redis;
    this.#channel = channel;
    this.#sealer = sealer;
    this.#config = config;
    this.#clock = clock;
  }

  /** `projectId` is the project that the request names, or '' for the token's own project. */
  async get(token: string, tokenHash: string, projectId: string): Promise<CachedTokens> {
    const [own, named] = await Promise.all([
      this.#read(token, recordKey(tokenHash, '')),
      projectId === '' ? null : this.#read(token, recordKey(tokenHash, projectId)),
    ]);
    const isOwn = projectId === '' || projectId === own?.identity.projectId;
    return { own, named: isOwn ? own : named };
  }

  /** `token` is the caller's token. The identity may hold another token, for another project. */
  async put(token: string, tokenHash: string, { identity, validUntil }: ValidatedToken): Promise<void> {
    const now = this.#clock.now();
    if (validUntil <= now) return;
    const { token: tokenUsed, ...rest } = identity;
    const isOwn = tokenUsed === token;
    const stored: StoredToken = { identity: rest, until: validUntil };
    if (!isOwn) stored.sealedToken = this.#sealer.seal(PURPOSE, tokenUsed);
    const key = recordKey(tokenHash, isOwn ? '' : identity.projectId);
    const keysOfUser = userKey(identity.userId);
    // The two keys cannot change in one transaction. The user's set comes first, so that an invalidation
    // finds the record.
    await this.#redis
      .multi()
      .zremrangebyscore(keysOfUser, '-inf', now)
      .zadd(keysOfUser, validUntil, key)
      .expire(keysOfUser, this.#config.tokenCacheSeconds + 1)
      .exec();
    await this.#redis.set(key, formatStored(storedForms.validatedToken, stored), 'PX', validUntil - now);
  }

  /**
   * When a result expires that was requested at `requestedAt`; never after the token. This bounds how long a
   * revoked token, a lost role or a disabled user is still accepted, by every cache. Times are milliseconds
   * since the epoch.
   */
  validUntil({ expiresAt }: Identity, requestedAt: number): number {
    return Math.min(requestedAt + this.#config.tokenCacheSeconds * 1000, Date.parse(expiresAt));
  }

  /** Deletes the users' cached tokens in the store, and notifies every process to do the same. */
  async invalidateUsers(userIds: readonly string[]): Promise<void> {
    await Promise.all(userIds.map((userId) => this.#deleteTokensOf(userId)));
    await this.#redis.publish(this.#channel, JSON.stringify(userIds));
  }

  async #deleteTokensOf(userId: string): Promise<void> {
    const keys = await this.#redis.zrange(userKey(userId), 0, '-1');
    await Promise.all([userKey(userId), ...keys].map((key) => this.#redis.del(key)));
  }

  async #read(token: string, key: string): Promise<ValidatedToken | null> {
    const text = await this.#redis.get(key);
    if (text === null) return null;
    const { identity, until, sealedToken } = parseStored<StoredToken>(storedForms.validatedToken, text);
    if (until <= this.#clock.now()) return null;
    const tokenUsed = sealedToken === undefined ? token : this.#sealer.openIfKnown(PURPOSE, sealedToken);
    if (tokenUsed === null) return null;
    return { identity: { ...identity, token: tokenUsed }, validUntil: until };
  }
}

function recordKey(tokenHash: string, projectId: string): string {
  return `validated:${tokenHash}:${projectId}`;
}

function userKey(userId: string): string {
  return `validated-of:${userId}`;
}
