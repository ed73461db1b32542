import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Sealing of secrets that must outlive the request that brought them: AES-256-GCM, with the key's id in
 * front so that keys can be rotated (the first seals, all open). `purpose` is bound into the seal: what was
 * sealed for one purpose does not open for another.
 *
 * A sealed text is `v1.<key id>.<base64url of iv, tag, ciphertext>`.
 */
export interface SealingKey {
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** Said outright, because a decipher takes shorter tags otherwise, and those can be guessed. */
const TAG = { authTagLength: 16 };

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

  open(purpose: string, sealed: string): string {
    const [version, id, data] = sealed.split('.');
    const key = this.#keys.find((candidate) => candidate.id === id)?.key;
    if (version !== 'v1' || key === undefined || data === undefined) {
      throw new Error('A sealed text can not be opened: unknown version or key.');
    }
    const bytes = Buffer.from(data, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), TAG)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }

  /**
   * What may be stored of a text, to know the same text again: without the keys nobody can try which text it
   * was. One fingerprint per key: the first is to be stored, any of them may stand there from before the keys
   * were rotated.
   */
  fingerprints(purpose: string, text: string): [string, ...string[]] {
    return this.#keys.map(({ id, key }) => {
      const own = Buffer.from(hkdfSync('sha256', key, '', `fingerprint:${purpose}`, 32));
      return `v1.${id}.${createHmac('sha256', own).update(text).digest('base64url')}`;
    }) as [string, ...string[]];
  }
}
