import { toTimestamp } from '@gateway/core';
import type {
  HealthMonitorRecord,
  ListenerRecord,
  LoadBalancerRecord,
  MemberRecord,
  PoolRecord,
} from '@gateway/openstack';
import { CachedList } from './cached-list.ts';

export interface LoadBalancer {
  id: string;
  name: string;
  description: string;
  /** The provisioning status. */
  status: string;
  operating_status: string;
  vip_address: string;
  vip_subnet_id: string | null;
  vip_network_id: string | null;
  vip_port_id: string | null;
  project_id: string;
  created_at: string | null;
}

export function presentLoadBalancer(record: LoadBalancerRecord): LoadBalancer {
  return {
    id: record.id,
    name: record.name ?? '',
    description: record.description ?? '',
    status: record.provisioning_status,
    operating_status: record.operating_status,
    vip_address: record.vip_address ?? '',
    vip_subnet_id: record.vip_subnet_id,
    vip_network_id: record.vip_network_id,
    vip_port_id: record.vip_port_id,
    project_id: record.project_id,
    created_at: toTimestamp(record.created_at),
  };
}

/** The service shows administrators the load balancers of all projects, so the query names the project. */
export const loadBalancerList = new CachedList<LoadBalancer[]>({
  name: 'loadBalancers',
  varyBy: 'roles',
  dependsOn: ['load_balancer'],
  lifetime: 'networksSeconds',
  isInTransition: (rows) => rows.some(({ status }) => status.startsWith('PENDING_')),
  async load({ openstack, reader }) {
    const records = await openstack.loadBalancer.loadBalancers.list({ project_id: reader.projectId });
    return records.map(presentLoadBalancer);
  },
});

export interface Listener {
  id: string;
  name: string;
  protocol: string;
  protocol_port: number;
  status: string;
  operating_status: string;
  default_pool_id: string | null;
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
    load_balancer_id: loadBalancerId,
  };
}

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

export interface PoolMember {
  id: string;
  name: string;
  address: string;
  protocol_port: number;
  weight: number;
  status: string;
  operating_status: string;
  subnet_id: string | null;
}

export function presentPoolMember(record: MemberRecord): PoolMember {
  return {
    id: record.id,
    name: record.name ?? '',
    address: record.address,
    protocol_port: record.protocol_port,
    weight: record.weight,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    subnet_id: record.subnet_id,
  };
}

export interface HealthMonitor {
  id: string;
  name: string;
  type: string;
  /** Seconds. */
  delay: number;
  /** Seconds. */
  timeout: number;
  max_retries: number;
  status: string;
}

export function presentHealthMonitor(record: HealthMonitorRecord): HealthMonitor {
  return {
    id: record.id,
    name: record.name ?? '',
    type: record.type,
    delay: record.delay,
    timeout: record.timeout,
    max_retries: record.max_retries,
    status: record.provisioning_status,
  };
}
