import type { ListenerRecord, LoadBalancerRecord } from '@gateway/openstack';
import type { Listener } from './listener-shape.ts';

/** A load balancer beside whose id its name is shown. */
export type LoadBalancerName = Pick<LoadBalancerRecord, 'id' | 'name'>;

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
