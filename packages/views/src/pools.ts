import type { PoolRecord } from '@gateway/openstack';

export interface Pool {
  id: string;
  name: string;
  protocol: string;
  lb_algorithm: string;
  status: string;
  operating_status: string;
  health_monitor_id: string | null;
  load_balancer_id: string;
}

export function presentPool(record: PoolRecord, loadBalancerId: string): Pool {
  return {
    id: record.id,
    name: record.name ?? '',
    protocol: record.protocol,
    lb_algorithm: record.lb_algorithm,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    health_monitor_id: record.healthmonitor_id ?? null,
    load_balancer_id: loadBalancerId,
  };
}
