import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import { LBAAS, type LoadBalancingRecord, type Reference } from './record.ts';

export interface ListenerRecord extends LoadBalancingRecord {
  protocol: string;
  protocol_port: number;
  default_pool_id: string | null;
  /** Always one entry. */
  loadbalancers: Reference[];
}

interface ListenerCreate {
  loadbalancer_id: string;
  protocol: string;
  protocol_port: number;
  name?: string;
  default_pool_id?: string;
}

type ListenerQuery = { loadbalancer_id?: string };

export class Listeners extends Collection<ListenerRecord, ListenerCreate, never, ListenerQuery> {
  constructor(service: ServiceClient) {
    super(service, 'listeners', 'listener', 'listeners', LBAAS);
  }
}
