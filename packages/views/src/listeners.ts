import type { ListenerRecord } from '@gateway/openstack';

export interface Listener {
  id: string;
  name: string;
  protocol: string;
  protocol_port: number;
  status: string;
  operating_status: string;
  default_pool_id: string | null;
  default_tls_container_ref: string | null;
  load_balancer_id: string;
}

export function presentListener(record: ListenerRecord, loadBalancerId: string): Listener {
  return {
    id: record.id,
    name: record.name ?? '',
    protocol: record.protocol,
    protocol_port: record.protocol_port,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    default_pool_id: record.default_pool_id,
    default_tls_container_ref: record.default_tls_container_ref || null,
    load_balancer_id: loadBalancerId,
  };
}
