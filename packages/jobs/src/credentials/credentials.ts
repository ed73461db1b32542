import { fingerprint, formatStored, newId, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';

const PURPOSE = 'credential';

/**
 * The identity of a job's calls. Valid until everything that it works with has expired. Times are ISO 8601.
 */
export interface StoredCredential {
  token?: string;
  expiresAt: string;
  delegation?: { expiresAt: string };
  /** With which the job logs in. */
  applicationCredential?: { expiresAt: string };
  /** Set if the job depends on the token: a log-out revokes the token only after the job (`KeptTokens`). */
  undelegated?: string;
}

/**
 * Stores the credentials of jobs. A queue entry contains only a handle. The credential is stored sealed,
 * outside the queue, and expires when it is no longer valid.
 */
export class CredentialStore<C extends StoredCredential> {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  async put(credential: C): Promise<string> {
    const handle = newId();
    const sealed = this.#sealer.seal(PURPOSE, formatStored(storedForms.credential, credential));
    const write = this.#redis
      .multi()
      .set(jobKeys.credential(handle), sealed, 'PXAT', usefulUntil(credential));
    if (credential.undelegated !== undefined && credential.token !== undefined) {
      write.hset(jobKeys.keptTokens, handle, fingerprint(credential.token));
    }
    await write.exec();
    return handle;
  }

  /**
   * Null when the credential has expired.
   * @throws UnknownSealingKeyError
   */
  async get(handle: string): Promise<C | null> {
    const sealed = await this.#redis.get(jobKeys.credential(handle));
    return sealed === null
      ? null
      : parseStored<C>(storedForms.credential, this.#sealer.open(PURPOSE, sealed));
  }

  async remove(handle: string): Promise<void> {
    await this.#redis.multi().del(jobKeys.credential(handle)).hdel(jobKeys.keptTokens, handle).exec();
  }
}

function usefulUntil({ expiresAt, delegation, applicationCredential }: StoredCredential): number {
  const expiries = [expiresAt, delegation?.expiresAt, applicationCredential?.expiresAt];
  return Math.max(...expiries.map((expiry) => (expiry === undefined ? 0 : Date.parse(expiry))));
}
