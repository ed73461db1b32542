import { flag, integerOr, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { commonFields } from './record.ts';

const memberRecord = declareRecord('loadBalancer', 'member', {
  ...commonFields,
  address: text(),
  protocol_port: integerOr(0),
  weight: integerOr(1),
  backup: flag(false),
  subnet_id: textOrNull(),
});

export type MemberRecord = RecordOf<typeof memberRecord>;

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
    return this.#service.list('members.list', path`/lbaas/pools/${poolId}/members`, 'members', memberRecord);
  }

  get(poolId: string, id: string): Promise<MemberRecord> {
    return this.#service.getRecord(
      'members.get',
      path`/lbaas/pools/${poolId}/members/${id}`,
      'member',
      memberRecord,
    );
  }

  create(poolId: string, member: MemberCreate): Promise<MemberRecord> {
    const url = path`/lbaas/pools/${poolId}/members`;
    return this.#service.postRecord('members.create', url, 'member', memberRecord, { member });
  }

  update(poolId: string, id: string, member: MemberUpdate): Promise<MemberRecord> {
    const url = path`/lbaas/pools/${poolId}/members/${id}`;
    return this.#service.putRecord('members.update', url, 'member', memberRecord, { body: { member } });
  }

  remove(poolId: string, id: string): Promise<void> {
    return this.#service.remove('members.remove', path`/lbaas/pools/${poolId}/members/${id}`);
  }
}
