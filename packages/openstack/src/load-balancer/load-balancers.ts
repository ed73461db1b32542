import { Collection } from '../collection.ts';
import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';
import { LBAAS, type LoadBalancingRecord } from './record.ts';

export interface LoadBalancerRecord extends LoadBalancingRecord {
  description: string | null;
  vip_address: string | null;
  vip_subnet_id: string | null;
  vip_network_id: string | null;
  /** Null until the service has allocated the port. */
  vip_port_id: string | null;
  created_at: string;
  /** Null until the first change. */
  updated_at?: string | null;
}

interface LoadBalancerCreate {
  name: string;
  description?: string;
  vip_subnet_id: string;
}

type LoadBalancerUpdate = Partial<Pick<LoadBalancerCreate, 'name' | 'description'>>;

type LoadBalancerQuery = { project_id?: string };

export class LoadBalancers extends Collection<
  LoadBalancerRecord,
  LoadBalancerCreate,
  LoadBalancerUpdate,
  LoadBalancerQuery
> {
  constructor(service: ServiceClient) {
    super(service, 'loadbalancers', 'loadbalancer', 'loadBalancers', LBAAS);
  }

  /** Deletes the load balancer with its listeners, pools, members and health monitors. */
  removeWithChildren(id: string): Promise<void> {
    const query = { cascade: true };
    return this.service.remove('loadBalancers.remove', path`/lbaas/loadbalancers/${id}`, { query });
  }
}
