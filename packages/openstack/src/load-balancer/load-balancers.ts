import { Collection } from '../collection.ts';
import { idOrNull, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';
import { commonFields, LBAAS } from './record.ts';

const loadBalancerRecord = declareRecord('loadBalancer', 'load_balancer', {
  ...commonFields,
  description: text(),
  /** Null, like its port, until the service has allocated it. */
  vip_address: idOrNull(),
  vip_port_id: idOrNull(),
  vip_subnet_id: textOrNull(),
  vip_network_id: textOrNull(),
  created_at: text(),
  /** Empty until the first change. */
  updated_at: text(),
});

export type LoadBalancerRecord = RecordOf<typeof loadBalancerRecord>;

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
    super(service, 'loadbalancers', 'loadbalancer', 'loadBalancers', LBAAS, loadBalancerRecord);
  }

  /** Deletes the load balancer with its listeners, pools, members and health monitors. */
  removeWithChildren(id: string): Promise<void> {
    const query = { cascade: true };
    return this.service.remove('loadBalancers.remove', path`/lbaas/loadbalancers/${id}`, { query });
  }
}
