import { randomBytes } from 'node:crypto';
import { fingerprint, formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { Credentials } from '../auth/authenticator.ts';

const ID_BYTES = 32;
const ID = /^[\w-]{43}$/;

/**
 * Stores the sealed credentials of operators' log-ins under the hash of a random id, which is in the cookie.
 * The credentials are checked with every request, so a cookie ends with the token, the session or the role.
 */
export class OperatorSessions {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  /** @param expiresAt ISO 8601. @returns the session's id, for the cookie */
  async start(credentials: Required<Credentials>, expiresAt: string): Promise<string> {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const key = keyOf(id);
    const sealed = this.#sealer.seal(key, formatStored(storedForms.credential, credentials));
    await this.#redis.set(key, sealed, 'PXAT', Date.parse(expiresAt));
    return id;
  }

  /** Null for an unknown id. */
  async read(id: string): Promise<Required<Credentials> | null> {
    if (!ID.test(id)) return null;
    const key = keyOf(id);
    const sealed = await this.#redis.get(key);
    const opened = sealed === null ? null : this.#sealer.openIfKnown(key, sealed);
    return opened === null ? null : parseStored<Required<Credentials>>(storedForms.credential, opened);
  }

  async end(id: string): Promise<void> {
    await this.#redis.del(keyOf(id));
  }
}

function keyOf(id: string): string {
  return `operator-session:${fingerprint(id)}`;
}
