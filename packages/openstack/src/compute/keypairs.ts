import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** A list tells these fields only. */
export interface KeypairRecord {
  name: string;
  type: string;
  fingerprint: string;
  public_key: string;
}

export interface KeypairDetailRecord extends KeypairRecord {
  id: number;
  user_id: string;
  created_at: string;
}

export interface CreatedKeypair extends KeypairRecord {
  user_id: string;
  /** A secret, told once: when the service made the pair. */
  private_key?: string;
}

export interface KeypairCreate {
  name: string;
  type?: 'ssh' | 'x509';
  /** Absent: the service makes the pair. */
  public_key?: string;
}

type Envelope<T> = { keypair: T };

export class Keypairs {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The caller's own: key pairs belong to a user, not to a project. */
  async list(): Promise<KeypairRecord[]> {
    const items = await this.#compute.list<Envelope<KeypairRecord>>(
      'keypairs.list',
      '/os-keypairs',
      'keypairs',
    );
    return items.map(({ keypair }) => keypair);
  }

  async get(name: string): Promise<KeypairDetailRecord> {
    const answer = await this.#compute.get<Envelope<KeypairDetailRecord>>(
      'keypairs.get',
      path`/os-keypairs/${name}`,
    );
    return answer.keypair;
  }

  async create(keypair: KeypairCreate): Promise<CreatedKeypair> {
    const answer = await this.#compute.post<Envelope<CreatedKeypair>>('keypairs.create', '/os-keypairs', {
      keypair,
    });
    return answer.keypair;
  }

  remove(name: string): Promise<void> {
    return this.#compute.remove('keypairs.remove', path`/os-keypairs/${name}`);
  }
}
