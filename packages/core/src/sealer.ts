import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { NewerFormError } from './stored-forms.ts';

export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

const VERSION = /^v\d{1,9}$/;

/** A text is sealed with a key that the gateway does not have, or not any more. */
export class UnknownSealingKeyError extends Error {
  readonly keyId: string;

  constructor(keyId: string) {
    super(`It is encrypted with the sealing key ${keyId}, which GATEWAY_SEALING_KEYS does not have.`);
    this.name = 'UnknownSealingKeyError';
    this.keyId = keyId;
  }
}

/** Set explicitly, because a decipher accepts shorter tags by default, and those can be guessed. */
const TAG = { authTagLength: 16 };

/**
 * Encrypts ("seals") stored secrets with AES-256-GCM. The first key seals and all keys open, so that keys can
 * be rotated. `purpose` is authenticated: a text that was sealed for one purpose does not open for another.
 *
 * A sealed text is `v1.<key id>.<base64url of iv, tag, ciphertext>`.
 */
export class Sealer {
  readonly #keys: readonly SealingKey[];

  constructor(keys: readonly SealingKey[]) {
    if (keys.length === 0) throw new Error('A sealer needs at least one key.');
    for (const { id, key } of keys) {
      if (key.length !== 32) throw new Error(`Sealing key ${id} is not 32 bytes long.`);
    }
    this.#keys = keys;
  }

  seal(purpose: string, text: string): string {
    const { id, key } = this.#keys[0] as SealingKey;
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv, TAG).setAAD(Buffer.from(purpose));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `v1.${id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  /** Whether the first key sealed the text, so that it stays readable when the other keys are removed. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`v1.${this.#keys[0]?.id}.`);
  }

  /**
   * Throws if the text was modified or sealed for another purpose.
   *
   * @throws UnknownSealingKeyError, NewerFormError
   */
  open(purpose: string, sealed: string): string {
    const [version = '', id, data] = sealed.split('.');
    if (version !== 'v1' && VERSION.test(version)) throw new NewerFormError(`sealed text, ${version}`);
    const key = this.#keys.find((candidate) => candidate.id === id)?.key;
    if (version !== 'v1' || id === undefined || data === undefined) {
      throw new Error('Cannot open the sealed text: unknown version.');
    }
    if (key === undefined) throw new UnknownSealingKeyError(id);
    const bytes = Buffer.from(data, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }

  /**
   * Keyed hashes of a text, to store and compare. Without the keys, the text cannot be guessed.
   * There is one fingerprint per key: store the first, and compare with all, because a key rotation
   * may have happened since.
   */
  fingerprints(purpose: string, text: string): [string, ...string[]] {
    return this.#keys.map(({ id, key }) => {
      const derivedKey = Buffer.from(hkdfSync('sha256', key, '', `fingerprint:${purpose}`, 32));
      return `v1.${id}.${createHmac('sha256', derivedKey).update(text).digest('base64url')}`;
    }) as [string, ...string[]];
  }
}
