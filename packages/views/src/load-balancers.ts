import { toTimestamp } from '@gateway/core';
import type { LoadBalancerRecord } from '@gateway/openstack';
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

/**
 * The query contains the project, because the service lists the load balancers of all
 * projects for administrators.
 */
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
