import {
  enumOf,
  flag,
  id,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { HEALTH_STATUSES, PLUGIN_HEALTH_STATUSES, REACHABILITIES } from './health-statuses.ts';
import { pluginKeys } from './plugin-keys.ts';

const node = part({
  name: nonEmptyText('apps-server'),
  role: oneOf(['server', 'agent']),
  ready: flag(),
  conditions: listOf(nonEmptyText(), []).describe(
    'The problems of the node, as NotReady and DiskPressure; NotInitialized while the cloud controller has ' +
      'not initialised it ten minutes after its creation, so that few pods start there; NotRegistered for an ' +
      'agent that Kubernetes does not know. Empty for none.',
  ),
  kubelet_version: text('v1.31.4+k3s1'),
  allocatable_gpus: integer().describe(
    'NVIDIA GPUs that the device plugin offers to pods, also those that pods have.',
  ),
});

const plugin = part({
  name: oneOf(pluginKeys, 'block_csi'),
  status: oneOf(PLUGIN_HEALTH_STATUSES, 'available').describe(
    'Of all programs of the plugin; the worst decides.',
  ),
  message: text().nullable().describe('What is wrong, in words.'),
});

export const liteClusterHealthShape = shape('LiteClusterHealth', {
  cluster_id: id('cluster'),
  cluster_name: nonEmptyText('apps'),
  status: enumOf('LiteClusterHealthStatus', HEALTH_STATUSES, 'HEALTHY'),
  api_server_reachable: flag(),
  healthz_ok: flag(),
  nodes: listOf(node),
  plugins: listOf(plugin).describe('Empty when they could not be read.'),
  checked_at: timestamp().nullable(),
  certificate_expires_at: timestamp(null)
    .nullable()
    .describe('When the first certificate of the configuration file ends; null if it is not known.'),
  reachability: oneOf(REACHABILITIES, 'floating_ip').describe('How the API server is addressed.'),
});

/** The health of a cluster as the interface shows it. */
export type LiteClusterHealth = ShapeType<typeof liteClusterHealthShape>;
export type NodeHealth = ShapeType<typeof node>;
/** The state of a plugin at a health check. */
export type PluginHealth = ShapeType<typeof plugin>;
