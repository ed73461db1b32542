import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { GatewayError } from './errors.ts';
import { NewerFormError } from './stored-forms.ts';

export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** An operator has to add the key and restart the processes. */
const RETRY_AFTER_SECONDS = 60;

const VERSION = /^v\d{1,9}$/;

/**
 * A text is sealed with a key that this process does not have, or not any more, or whose id another key has.
 * Whoever meets it leaves it as it is: a process with the key can read it. Like `NewerFormError`, it is an
 * outage of the store for clients.
 */
export class UnknownSealingKeyError extends GatewayError {
  readonly keyId: string;
  /** For operators. */
  readonly reason: string;

  constructor(
    keyId: string,
    reason = `It is encrypted with the sealing key ${keyId}, which GATEWAY_SEALING_KEYS does not have.`,
  ) {
    super(
      503,
      'store_unavailable',
      'The gateway cannot decrypt this at the moment. Please try again later.',
      {
        cause: new Error(reason),
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    );
    this.name = 'UnknownSealingKeyError';
    this.keyId = keyId;
    this.reason = reason;
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
  #keys: readonly SealingKey[] = [];
  readonly #onMissingKey: (keyId: string) => void;

  /** @param onMissingKey called when `open` lacks a key, or has another one of its id */
  constructor(keys: readonly SealingKey[], onMissingKey: (keyId: string) => void = () => {}) {
    this.replaceKeys(keys);
    this.#onMissingKey = onMissingKey;
  }

  /** From now on the first of these seals, and all of these open. */
  replaceKeys(keys: readonly SealingKey[]): void {
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
   * Throws the same for a text that was modified or sealed for another purpose as for another key of its id.
   * Only for texts of the store.
   *
   * @throws UnknownSealingKeyError, NewerFormError
   */
  open(purpose: string, sealed: string): string {
    try {
      return this.#open(purpose, sealed);
    } catch (error) {
      if (error instanceof UnknownSealingKeyError) this.#onMissingKey(error.keyId);
      throw error;
    }
  }

  /**
   * The same for what clients send, and for what is worth nothing without its key, such as a ticket: null if
   * the key is missing or another one, which nobody has to mend.
   */
  openIfKnown(purpose: string, sealed: string): string | null {
    try {
      return this.#open(purpose, sealed);
    } catch (error) {
      if (error instanceof UnknownSealingKeyError) return null;
      throw error;
    }
  }

  #open(purpose: string, sealed: string): string {
    const [version = '', id, data] = sealed.split('.');
    if (version !== 'v1' && VERSION.test(version)) throw new NewerFormError(`sealed text, ${version}`);
    const key = this.#keys.find((candidate) => candidate.id === id)?.key;
    if (version !== 'v1' || id === undefined || data === undefined) {
      throw new Error('Cannot open the sealed text: unknown version.');
    }
    if (key === undefined) throw new UnknownSealingKeyError(id);
    try {
      return decipher(key, purpose, Buffer.from(data, 'base64url'));
    } catch {
      throw new UnknownSealingKeyError(
        id,
        `GATEWAY_SEALING_KEYS has another key under the id ${id} than the one that has encrypted it, or it is damaged.`,
      );
    }
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

/** @throws if it was encrypted with another key or for another purpose, or modified */
function decipher(key: Buffer, purpose: string, bytes: Buffer): string {
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG)
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
}
