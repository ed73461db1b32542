import { key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { namePath } from '../url.ts';

const fields = { name: key(), type: text('ssh'), fingerprint: text(), public_key: text() };

/** Lists contain only these fields. */
const keypairRecord = declareRecord('compute', 'keypair', fields);

/** Made once: zod compiles a schema at its first use. */
const listedKeypair = keypairRecord.under('keypair');

export type KeypairRecord = RecordOf<typeof keypairRecord>;

const keypairDetail = declareRecord('compute', 'keypair_detail', {
  ...fields,
  user_id: text(),
  created_at: text(),
});

type KeypairDetailRecord = RecordOf<typeof keypairDetail>;

const createdKeypair = declareRecord('compute', 'created_keypair', {
  ...fields,
  user_id: text(),
  /** A secret. Only in the response to the create request, if the service generated the pair. */
  private_key: textOrNull(),
});

export type CreatedKeypair = RecordOf<typeof createdKeypair>;

interface KeypairCreate {
  name: string;
  type?: 'ssh' | 'x509';
  /** If absent, the service generates the pair. */
  public_key?: string;
}

export class Keypairs {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The user's own key pairs. Key pairs belong to no project. */
  list(): Promise<KeypairRecord[]> {
    return this.#compute.list('keypairs.list', '/os-keypairs', 'keypairs', listedKeypair);
  }

  async get(name: string): Promise<KeypairDetailRecord> {
    return this.#compute.getRecord('keypairs.get', namePath`/os-keypairs/${name}`, 'keypair', keypairDetail);
  }

  create(keypair: KeypairCreate): Promise<CreatedKeypair> {
    return this.#compute.postRecord('keypairs.create', '/os-keypairs', 'keypair', createdKeypair, {
      keypair,
    });
  }

  remove(name: string): Promise<void> {
    return this.#compute.remove('keypairs.remove', namePath`/os-keypairs/${name}`);
  }
}
