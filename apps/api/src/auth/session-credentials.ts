import { formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { ApplicationCredentialLogin } from '@gateway/openstack';
import type { Redis } from '@gateway/store';

/**
 * The application credentials of programs that have logged in, sealed, while their sessions last. The jobs
 * that they start work with a copy. See decision 121.
 */
export class SessionCredentials {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  /** @param expiresAt of the token, ISO 8601 */
  async put(sessionId: string, { id, secret }: ApplicationCredentialLogin, expiresAt: string): Promise<void> {
    const key = keyOf(sessionId);
    const sealed = this.#sealer.seal(key, formatStored(storedForms.credential, { id, secret }));
    await this.#redis.set(key, sealed, 'PXAT', Date.parse(expiresAt));
  }

  /** Null for other sessions, also those of tokens that were issued elsewhere. */
  async of(sessionId: string): Promise<ApplicationCredentialLogin | null> {
    const key = keyOf(sessionId);
    const sealed = await this.#redis.get(key);
    return sealed === null
      ? null
      : parseStored<ApplicationCredentialLogin>(storedForms.credential, this.#sealer.open(key, sealed));
  }

  async remove(sessionId: string): Promise<void> {
    await this.#redis.del(keyOf(sessionId));
  }
}

function keyOf(sessionId: string): string {
  return `session-credential:${sessionId}`;
}
