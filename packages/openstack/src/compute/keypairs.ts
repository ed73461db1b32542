import { namePath } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** Lists contain only these fields. */
export interface KeypairRecord {
  name: string;
  type: string;
  fingerprint: string;
  public_key: string;
}

interface KeypairDetailRecord extends KeypairRecord {
  id: number;
  user_id: string;
  created_at: string;
}

export interface CreatedKeypair extends KeypairRecord {
  user_id: string;
  /** A secret. Present only in the response to the create request, if the service generated the pair. */
  private_key?: string;
}

interface KeypairCreate {
  name: string;
  type?: 'ssh' | 'x509';
  /** If absent, the service generates the pair. */
  public_key?: string;
}

type Envelope<T> = { keypair: T };

export class Keypairs {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The user's own key pairs. Key pairs belong to no project. */
  async list(): Promise<KeypairRecord[]> {
    const items = await this.#compute.list<Envelope<KeypairRecord>>(
      'keypairs.list',
      '/os-keypairs',
      'keypairs',
    );
    return items.map(({ keypair }) => keypair);
  }

  async get(name: string): Promise<KeypairDetailRecord> {
    return this.#compute.getRecord<KeypairDetailRecord>(
      'keypairs.get',
      namePath`/os-keypairs/${name}`,
      'keypair',
    );
  }

  create(keypair: KeypairCreate): Promise<CreatedKeypair> {
    return this.#compute.postRecord<CreatedKeypair>('keypairs.create', '/os-keypairs', 'keypair', {
      keypair,
    });
  }

  remove(name: string): Promise<void> {
    return this.#compute.remove('keypairs.remove', namePath`/os-keypairs/${name}`);
  }
}
