import { Collection } from '../collection.ts';
import { listOf, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { commonFields, LBAAS, reference } from './record.ts';

const poolRecord = declareRecord('loadBalancer', 'pool', {
  ...commonFields,
  protocol: text(),
  lb_algorithm: text(),
  /** Null without a health monitor. */
  healthmonitor_id: textOrNull(),
  /** Always one entry. */
  loadbalancers: listOf(reference),
});

export type PoolRecord = RecordOf<typeof poolRecord>;

/** Requires a load balancer, a listener, or both. */
interface PoolCreate {
  loadbalancer_id?: string;
  listener_id?: string;
  protocol: string;
  lb_algorithm: string;
  name?: string;
}

type PoolUpdate = Partial<Pick<PoolCreate, 'name' | 'lb_algorithm'>>;

type PoolQuery = { loadbalancer_id?: string };

export class Pools extends Collection<PoolRecord, PoolCreate, PoolUpdate, PoolQuery> {
  constructor(service: ServiceClient) {
    super(service, 'pools', 'pool', 'pools', LBAAS, poolRecord);
  }
}
