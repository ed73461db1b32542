import { key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** A secret without its payload. */
const secretRecord = declareRecord('keyManager', 'secret', {
  /** A URL that ends with the secret's id. */
  secret_ref: key(),
  name: textOrNull(),
  created: text(),
});

type SecretRecord = RecordOf<typeof secretRecord>;

interface SecretCreate {
  name: string;
  /** The content, which the service stores encrypted. */
  payload: Buffer;
  algorithm: 'aes';
  bitLength: number;
}

/** Secrets of the token's project. */
export class Secrets {
  readonly #keyManager: ServiceClient;

  constructor(keyManager: ServiceClient) {
    this.#keyManager = keyManager;
  }

  /** Returns the id of the new secret. */
  async create({ name, payload, algorithm, bitLength }: SecretCreate): Promise<string> {
    const answer = await this.#keyManager.postRecord('secrets.create', '/secrets', null, secretRecord, {
      name,
      secret_type: 'symmetric',
      algorithm,
      bit_length: bitLength,
      payload: payload.toString('base64'),
      payload_content_type: 'application/octet-stream',
      payload_content_encoding: 'base64',
    });
    return idOf(answer);
  }

  /** The ids of the secrets with this name. */
  async listByName(name: string): Promise<string[]> {
    const found = await this.#keyManager.list('secrets.list', '/secrets', 'secrets', secretRecord, { name });
    return found.filter((secret) => secret.name === name).map(idOf);
  }

  /** Without the payload. */
  get(id: string): Promise<SecretRecord> {
    return this.#keyManager.getRecord('secrets.get', path`/secrets/${id}`, null, secretRecord);
  }

  remove(id: string): Promise<void> {
    return this.#keyManager.remove('secrets.remove', path`/secrets/${id}`);
  }
}

function idOf({ secret_ref }: Pick<SecretRecord, 'secret_ref'>): string {
  return secret_ref.slice(secret_ref.lastIndexOf('/') + 1);
}
