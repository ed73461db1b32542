import { Collection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import { LBAAS, type LoadBalancingRecord, type Reference } from './record.ts';

export interface ListenerRecord extends LoadBalancingRecord {
  protocol: string;
  protocol_port: number;
  default_pool_id: string | null;
  /** The URL of a certificate in the key manager; null unless the protocol is `TERMINATED_HTTPS`. */
  default_tls_container_ref: string | null;
  /** The only networks that may connect; null for all. */
  allowed_cidrs?: string[] | null;
  /** Always one entry. */
  loadbalancers: Reference[];
}

interface ListenerCreate {
  loadbalancer_id: string;
  protocol: string;
  protocol_port: number;
  name?: string;
  default_pool_id?: string;
  default_tls_container_ref?: string;
}

interface ListenerUpdate extends Pick<ListenerCreate, 'name' | 'default_tls_container_ref'> {
  /** Null for none. */
  default_pool_id?: string | null;
}

type ListenerQuery = { loadbalancer_id?: string };

export class Listeners extends Collection<ListenerRecord, ListenerCreate, ListenerUpdate, ListenerQuery> {
  constructor(service: ServiceClient) {
    super(service, 'listeners', 'listener', 'listeners', LBAAS);
  }
}
