import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';
import type { LoadBalancingRecord } from './record.ts';

export interface MemberRecord extends LoadBalancingRecord {
  address: string;
  protocol_port: number;
  weight: number;
  subnet_id: string | null;
}

interface MemberCreate {
  address: string;
  protocol_port: number;
  subnet_id?: string;
  name?: string;
  weight?: number;
}

type MemberUpdate = Pick<MemberCreate, 'name' | 'weight'>;

/** The members of pools. Their paths are below those of their pools. */
export class Members {
  readonly #service: ServiceClient;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  list(poolId: string): Promise<MemberRecord[]> {
    return this.#service.list('members.list', path`/lbaas/pools/${poolId}/members`, 'members');
  }

  get(poolId: string, id: string): Promise<MemberRecord> {
    return this.#service.getRecord('members.get', path`/lbaas/pools/${poolId}/members/${id}`, 'member');
  }

  create(poolId: string, member: MemberCreate): Promise<MemberRecord> {
    const url = path`/lbaas/pools/${poolId}/members`;
    return this.#service.postRecord('members.create', url, 'member', { member });
  }

  update(poolId: string, id: string, member: MemberUpdate): Promise<MemberRecord> {
    const url = path`/lbaas/pools/${poolId}/members/${id}`;
    return this.#service.putRecord('members.update', url, 'member', { body: { member } });
  }

  remove(poolId: string, id: string): Promise<void> {
    return this.#service.remove('members.remove', path`/lbaas/pools/${poolId}/members/${id}`);
  }
}
