import { toTimestamp } from '@gateway/core';
import type { ClusterRecord } from '@gateway/openstack';
import { managedClusterActions } from '../actions/managed-cluster-actions.ts';
import { type Actor, allowedActions } from '../actions/rule.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isManagedClusterInTransition } from '../transitions/states-in-transition.ts';
import { clusterTemplateNames } from './cluster-templates.ts';
import type { ManagedCluster } from './managed-cluster-shape.ts';

export function presentManagedCluster(cluster: ClusterRecord, actor: Actor): ManagedCluster {
  return {
    id: cluster.uuid,
    name: cluster.name,
    status: cluster.status,
    status_reason: cluster.status_reason,
    cluster_template_id: cluster.cluster_template_id,
    cluster_template_name: null,
    master_count: cluster.master_count,
    node_count: cluster.node_count,
    api_address: cluster.api_address,
    coe_version: cluster.coe_version,
    keypair: cluster.keypair,
    create_timeout: cluster.create_timeout,
    stack_id: cluster.stack_id,
    created_at: toTimestamp(cluster.created_at),
    updated_at: toTimestamp(cluster.updated_at),
    managed_by: null,
    allowed_actions: allowedActions(managedClusterActions, cluster, actor),
    ...markTransition(isManagedClusterInTransition(cluster), cluster.status, {
      changedAt: cluster.updated_at,
      createdAt: cluster.created_at,
    }),
  };
}

/** Adds the names of their templates to clusters. */
export function nameManagedClusters(
  sources: ListSources,
  clusters: ManagedCluster[],
): Promise<ManagedCluster[]> {
  return addNames(sources, clusters, { cluster_template_id: clusterTemplateNames });
}
