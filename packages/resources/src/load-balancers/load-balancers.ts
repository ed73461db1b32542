import { toTimestamp } from '@gateway/core';
import type { LoadBalancerRecord } from '@gateway/openstack';
import { loadBalancerActions } from '../actions/load-balancer-actions.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import { CachedList, type ListSources } from '../lists/cached-list.ts';
import { addNames, ownProjectName } from '../lists/names.ts';
import { subnetNames } from '../networks/name-lists.ts';
import { networkNames } from '../networks/networks.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isLoadBalancerInTransition } from '../transitions/states-in-transition.ts';
import type { LoadBalancer } from './load-balancer-shape.ts';

export function presentLoadBalancer(record: LoadBalancerRecord, actor: Actor): LoadBalancer {
  return {
    id: record.id,
    name: record.name,
    description: record.description,
    status: record.provisioning_status,
    operating_status: record.operating_status,
    vip_address: record.vip_address ?? '',
    vip_subnet_id: record.vip_subnet_id,
    vip_subnet_name: null,
    vip_network_id: record.vip_network_id,
    vip_network_name: null,
    vip_port_id: record.vip_port_id,
    project_id: record.project_id,
    project_name: null,
    created_at: toTimestamp(record.created_at),
    updated_at: toTimestamp(record.updated_at),
    managed_by: null,
    allowed_actions: allowedActions(loadBalancerActions, record, actor),
    ...markTransition(isLoadBalancerInTransition(record.provisioning_status), record.provisioning_status, {
      changedAt: record.updated_at,
      createdAt: record.created_at,
    }),
  };
}

/** Adds the names of networks, subnets and the project to a project's load balancers. */
export function nameLoadBalancers(sources: ListSources, rows: LoadBalancer[]): Promise<LoadBalancer[]> {
  return addNames(sources, rows, {
    vip_subnet_id: subnetNames.project,
    vip_network_id: networkNames.project,
    project_id: ownProjectName,
  });
}

/**
 * The query contains the project, because the service lists the load balancers of all
 * projects for administrators.
 */
export const loadBalancerList = new CachedList<LoadBalancer[]>({
  name: 'loadBalancers',
  varyBy: 'roles',
  dependsOn: ['load_balancer', 'network', 'subnet', 'project'],
  lifetime: 'networksSeconds',
  rowsWithStates: (rows) => rows,
  async load(sources) {
    const { openstack, reader } = sources;
    const records = await openstack.loadBalancer.loadBalancers.list({ project_id: reader.projectId });
    return nameLoadBalancers(
      sources,
      records.map((record) => presentLoadBalancer(record, sources)),
    );
  },
});
