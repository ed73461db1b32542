import type { ListenerRecord, LoadBalancerRecord } from '@gateway/openstack';

/** A load balancer beside whose id its name is shown. */
export type LoadBalancerName = Pick<LoadBalancerRecord, 'id' | 'name'>;

export interface Listener {
  id: string;
  name: string;
  protocol: string;
  protocol_port: number;
  status: string;
  operating_status: string;
  default_pool_id: string | null;
  default_pool_name: string | null;
  default_tls_container_ref: string | null;
  /** The only networks that may connect; null for all. */
  allowed_cidrs: string[] | null;
  load_balancer_id: string;
  load_balancer_name: string;
}

export function presentListener(record: ListenerRecord, loadBalancer: LoadBalancerName): Listener {
  return {
    id: record.id,
    name: record.name,
    protocol: record.protocol,
    protocol_port: record.protocol_port,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    default_pool_id: record.default_pool_id,
    default_pool_name: null,
    default_tls_container_ref: record.default_tls_container_ref || null,
    allowed_cidrs: record.allowed_cidrs,
    load_balancer_id: loadBalancer.id,
    load_balancer_name: loadBalancer.name,
  };
}
