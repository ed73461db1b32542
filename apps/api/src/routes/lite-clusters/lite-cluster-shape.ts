import {
  enumOf,
  id,
  idOrEmpty,
  integer,
  listOf,
  mapOf,
  namesBeside,
  nonEmptyText,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { HEALTH_STATUSES, LITE_CLUSTER_STATUSES } from '@gateway/lite';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';
import { liteClusterActions } from '../../resources/lite-cluster-actions.ts';

export const RELEASE = 'A release of k3s, such as v1.36.1+k3s1.';

const release = () => nonEmptyText('v1.36.1+k3s1').describe(RELEASE);

const upgrade = part({
  version: release(),
  status: enumOf('LiteClusterUpgradeStatus', ['UPGRADING', 'FAILED']).describe(
    'A FAILED upgrade has stopped, and the same request continues it.',
  ),
  progress: integer(100).nullable(),
  message: text('The instance is ready.').nullable(),
  job_id: idOrEmpty('job').nullable(),
});

export const liteClusterShape = shape(
  'LiteCluster',
  {
    id: id('lite_cluster'),
    name: nonEmptyText('apps'),
    status: enumOf('LiteClusterStatus', LITE_CLUSTER_STATUSES, 'ACTIVE'),
    status_reason: text()
      .nullable()
      .describe(
        'Why the cluster or its last change failed, what hinders an ACTIVE cluster, or what is left to remove.',
      ),
    server_vm_id: idOrEmpty('server_vm').nullable().describe('The VM of the control node.'),
    server_vm_name: text().nullable(),
    agent_vm_ids: listOf(id('agent_vm')).describe('The VMs of the agents.'),
    agent_vm_names: namesBeside('1f746c73-9379-4f27-8f56-217d6bdab0d0'),
    agent_count: integer(2),
    api_address: text('https://203.0.113.20:6443').nullable().describe('As https://<ip>:6443.'),
    server_ip: text('203.0.113.20').nullable(),
    network_id: idOrEmpty('network').nullable(),
    network_name: text('inside').nullable(),
    key_name: text('laptop').nullable(),
    k3s_version: text('v1.31.4+k3s1')
      .nullable()
      .describe('The installed version, as the control node reports it.'),
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
    deleted_at: timestamp(null).nullable(),
    health_status: enumOf('LiteClusterHealthStatus', HEALTH_STATUSES, 'HEALTHY')
      .nullable()
      .describe('The latest result of the health check; null unless the cluster is ACTIVE.'),
    plugin_status: mapOf(enumOf('PluginDeployment', ['deployed', 'failed']), { block_csi: 'deployed' })
      .nullable()
      .describe(
        'By plugin: whether its programs are available, at the latest check that reached the API server; ' +
          'null before the control node has reported.',
      ),
    plugin_messages: mapOf(nonEmptyText())
      .nullable()
      .describe('By plugin: why it has failed. Null before the control node has reported.'),
    upgrade: upgrade
      .nullable()
      .describe('The upgrade in progress, or the one that has stopped; null without one.'),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField('lite_cluster', liteClusterActions),
  },
  () => ({ upgrade: null }),
);

/** A lite cluster as the interface shows it. */
export type PresentedCluster = ShapeType<typeof liteClusterShape>;

export const liteClusterUpgradesShape = shape('LiteClusterUpgrades', {
  current_version: text('v1.35.4+k3s1').nullable().describe('The release of k3s that the cluster has.'),
  versions: listOf(release()).describe('The releases that the cluster can be upgraded to, the oldest first.'),
});
