import { fingerprint, type Sealer } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { postponeRevocationScript } from './scripts.ts';

const PURPOSE = 'postponed-revocation';

/**
 * The tokens of jobs without a delegation (see `CredentialStore`). After a log-out, such a token is revoked
 * when the last of these jobs has ended. Until then it is stored here, sealed, so that any process can revoke
 * it.
 */
export class KeptTokens {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  /** False if no job uses the token: the caller revokes it now. */
  async postpone(token: string): Promise<boolean> {
    const { keptTokens, postponedRevocations } = jobKeys;
    const sealed = this.#sealer.seal(PURPOSE, token);
    const keys = { keptTokens, postponedRevocations };
    const args = { fingerprint: fingerprint(token), sealed };
    return (await postponeRevocationScript.run(this.#redis, keys, args)) === 1;
  }

  /**
   * Revokes the stored tokens whose jobs have ended. A token for which `revoke` throws stays stored; the
   * first error is thrown.
   */
  async revokeUnused(revoke: (token: string) => Promise<void>): Promise<void> {
    const noted = Object.entries(await this.#redis.hgetall(jobKeys.postponedRevocations));
    if (noted.length === 0) return;
    const kept = new Set(await this.#redis.hvals(jobKeys.keptTokens));
    const unused = noted.filter(([hash]) => !kept.has(hash));
    const results = await Promise.allSettled(
      unused.map(async ([hash, sealed]) => {
        await revoke(this.#sealer.open(PURPOSE, sealed));
        await this.#redis.hdel(jobKeys.postponedRevocations, hash);
      }),
    );
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** Removes tokens whose credentials have expired, so that their jobs cannot use them any more. */
  async dropExpired(): Promise<void> {
    for (const handle of await this.#redis.hkeys(jobKeys.keptTokens)) {
      if ((await this.#redis.exists(jobKeys.credential(handle))) === 0)
        await this.#redis.hdel(jobKeys.keptTokens, handle);
    }
  }
}
