import type { PoolRecord } from '@gateway/openstack';
import type { LoadBalancerName } from './listeners.ts';
import type { Pool } from './pool-shape.ts';

export function presentPool(record: PoolRecord, loadBalancer: LoadBalancerName): Pool {
  return {
    id: record.id,
    name: record.name,
    protocol: record.protocol,
    lb_algorithm: record.lb_algorithm,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    health_monitor_id: record.healthmonitor_id,
    load_balancer_id: loadBalancer.id,
    load_balancer_name: loadBalancer.name,
  };
}
