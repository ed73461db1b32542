import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import { LBAAS, type LoadBalancingRecord, type Reference } from './record.ts';

export interface PoolRecord extends LoadBalancingRecord {
  protocol: string;
  lb_algorithm: string;
  /** Absent without a health monitor. */
  healthmonitor_id?: string | null;
  /** Always one entry. */
  loadbalancers: Reference[];
}

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
    super(service, 'pools', 'pool', 'pools', LBAAS);
  }
}
