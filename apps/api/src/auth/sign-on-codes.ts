import { randomBytes } from 'node:crypto';
import { fingerprint, formatStored, parseStored, type Sealer, storedForms } from '@gateway/core';
import type { Redis } from '@gateway/store';
import type { SignOnAttempt } from './sign-on-attempts.ts';

/** A browser that has returned, and the token that it brought. */
interface ReturnedSignOn extends SignOnAttempt {
  /** Of the identity service, without a project. */
  token: string;
}

const CODE_BYTES = 32;
const CODE = /^[\w-]{43}$/;
const TTL_SECONDS = 30;

/**
 * The codes with which pages fetch their session. A code can be used once. It is stored as a hash, and what
 * it stands for is sealed.
 */
export class SignOnCodes {
  readonly #redis: Redis;
  readonly #sealer: Sealer;

  constructor(redis: Redis, sealer: Sealer) {
    this.#redis = redis;
    this.#sealer = sealer;
  }

  async issue(returned: ReturnedSignOn): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const key = keyOf(code);
    await this.#redis.set(
      key,
      this.#sealer.seal(key, formatStored(storedForms.signOn, returned)),
      'EX',
      TTL_SECONDS,
    );
    return code;
  }

  /** The code cannot be used again. Null for an unknown code. */
  async redeem(code: string): Promise<ReturnedSignOn | null> {
    if (!CODE.test(code)) return null;
    const key = keyOf(code);
    const sealed = await this.#redis.getdel(key);
    const opened = sealed === null ? null : this.#sealer.openIfKnown(key, sealed);
    return opened === null ? null : parseStored<ReturnedSignOn>(storedForms.signOn, opened);
  }
}

function keyOf(code: string): string {
  return `sign-on-code:${fingerprint(code)}`;
}
