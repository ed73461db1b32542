import { type ClusterMessage, clusterCreationProgress, type EventData } from '@gateway/jobs';
import {
  HEALTH_STATUSES,
  LITE_CLUSTER_STATUSES,
  type LiteClusterHealth,
  MAX_AGENTS,
  PLUGIN_HEALTH_STATUSES,
  type PluginHealth,
  pluginKeys,
  REACHABILITIES,
} from '@gateway/lite';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import { estimateFields } from '../../http/schemas/estimate.ts';
import {
  chosenIdField,
  existingNameField,
  idField,
  listOf,
  namesBeside,
  nullableText,
  part,
  shape,
  timestamp,
} from '../../http/schemas/fields.ts';
import { liteClusterActions } from '../../resources/lite-cluster-actions.ts';
import type { LiteClusterUpgrade } from '../../resources/lite-cluster-upgrade.ts';
import type { presentLiteCluster } from './present.ts';

export interface LiteClusterListQuery {
  include_deleted?: boolean;
}

export interface KubeconfigQuery {
  auth?: 'certificate' | 'identity';
}

export interface CreateLiteClusterBody {
  name: string;
  agent_count: number;
  agent_flavor_id?: string;
  network_id?: string;
  key_name?: string;
}

export interface ScaleLiteClusterBody {
  agent_count: number;
}

export interface RepairLiteClusterBody {
  node: string;
  force?: boolean;
}

export interface UpgradeLiteClusterBody {
  version: string;
}

export const liteClusterListQuery = Joi.object<LiteClusterListQuery, true>({
  include_deleted: Joi.boolean().description('Lists deleted clusters too.'),
});

export const kubeconfigQuery = Joi.object<KubeconfigQuery, true>({
  auth: Joi.string()
    .valid('certificate', 'identity')
    .description(
      'How clients of the file log in: with the certificate of an administrator of the cluster, or with tokens of the ' +
        'identity service. Members who only read get the second. Default: certificate.',
    ),
});

const agentCountField = () => Joi.number().integer().min(0).max(MAX_AGENTS);

export const createLiteClusterBody = Joi.object<CreateLiteClusterBody, true>({
  name: Joi.string()
    .max(63)
    .pattern(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
    .messages({
      'string.pattern.base':
        'must have letters, digits, hyphens and underscores, and begin with a letter or digit',
    })
    .required(),
  agent_count: agentCountField().default(1).description('The number of agents.'),
  agent_flavor_id: chosenIdField().description('The flavor of the agents; the configured one by default.'),
  network_id: idField(),
  key_name: existingNameField(),
})
  .required()
  .meta({ name: 'CreateLiteCluster', example: () => ({ agent_count: 2 }) });

export const scaleLiteClusterBody = Joi.object<ScaleLiteClusterBody, true>({
  agent_count: agentCountField().required().description('The number of agents to have.'),
})
  .required()
  .meta({ name: 'ScaleLiteCluster' });

export const repairLiteClusterBody = Joi.object<RepairLiteClusterBody, true>({
  node: existingNameField()
    .required()
    .description('The name of an agent, as in `nodes` of the health of the cluster.'),
  force: Joi.boolean().description('Also replaces a node that is ready, or whose state is not known.'),
})
  .required()
  .meta({ name: 'RepairLiteCluster', example: () => ({ node: 'research-agent-2' }) });

const release = () => Joi.string().description('A release of k3s, such as v1.36.1+k3s1.');

export const upgradeLiteClusterBody = Joi.object<UpgradeLiteClusterBody, true>({
  version: release()
    .pattern(/^v\d+\.\d+\.\d+\+k3s\d+$/)
    .max(64)
    .messages({ 'string.pattern.base': 'must be a release of k3s, as v1.36.1+k3s1' })
    .required(),
})
  .required()
  .meta({ name: 'UpgradeLiteCluster', example: () => ({ version: 'v1.36.1+k3s1' }) });

export const liteClusterUpgradesShape = shape<{ current_version: string | null; versions: string[] }>(
  'LiteClusterUpgrades',
  {
    current_version: nullableText().description('The release of k3s that the cluster has.'),
    versions: listOf(release()).description(
      'The releases that the cluster can be upgraded to, the oldest first.',
    ),
  },
  () => ({ current_version: 'v1.35.4+k3s1', versions: ['v1.36.1+k3s1'] }),
);

const upgrade = part<LiteClusterUpgrade>({
  version: release(),
  status: Joi.string()
    .valid('UPGRADING', 'FAILED')
    .description('A FAILED upgrade has stopped, and the same request continues it.'),
  progress: Joi.number().integer().allow(null),
  message: nullableText(),
  job_id: nullableText(),
});

const status = () => Joi.string().valid(...LITE_CLUSTER_STATUSES);

export const liteClusterShape = shape<ReturnType<typeof presentLiteCluster>>(
  'LiteCluster',
  {
    id: Joi.string(),
    name: Joi.string(),
    status: status(),
    status_reason: nullableText().description(
      'Why the cluster or its last change failed, what hinders an ACTIVE cluster, or what is left to remove.',
    ),
    server_vm_id: nullableText().description('The VM of the control node.'),
    server_vm_name: nullableText(),
    agent_vm_ids: listOf(Joi.string()).description('The VMs of the agents.'),
    agent_vm_names: namesBeside(),
    agent_count: Joi.number().integer(),
    api_address: nullableText().description('As https://<ip>:6443.'),
    server_ip: nullableText(),
    network_id: nullableText(),
    network_name: nullableText(),
    key_name: nullableText(),
    k3s_version: nullableText().description('The installed version, as the control node reports it.'),
    created_at: timestamp().allow(null),
    updated_at: timestamp().allow(null),
    deleted_at: timestamp().allow(null),
    health_status: Joi.string()
      .valid(...HEALTH_STATUSES)
      .allow(null)
      .description('The latest result of the health check; null unless the cluster is ACTIVE.'),
    plugin_status: Joi.object()
      .pattern(Joi.string(), Joi.string().valid('deployed', 'failed'))
      .allow(null)
      .description(
        'By plugin: whether its programs are available, at the latest check that reached the API server; ' +
          'null before the control node has reported.',
      ),
    plugin_messages: Joi.object()
      .pattern(Joi.string(), Joi.string())
      .allow(null)
      .description('By plugin: why it has failed. Null before the control node has reported.'),
    upgrade: upgrade
      .allow(null)
      .description('The upgrade in progress, or the one that has stopped; null without one.'),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField(liteClusterActions),
  },
  () => ({ status: 'ACTIVE', upgrade: null }),
);

export const liteClusterMessageShape = shape<EventData<ClusterMessage>>(
  'LiteClusterMessage',
  {
    step: Joi.string().valid(...Object.keys(clusterCreationProgress)),
    progress: Joi.number().integer().min(-1).max(100),
    message: Joi.string(),
    cluster_id: Joi.string(),
    error: Joi.string().allow(null),
    job_id: Joi.string(),
    ...estimateFields,
    code: Joi.string().optional().description('The kind of failure.'),
  },
  () => ({ step: 'completed', message: 'The cluster is ready.' }),
);

const node = part<LiteClusterHealth['nodes'][number]>({
  name: Joi.string(),
  role: Joi.string().valid('server', 'agent'),
  ready: Joi.boolean(),
  conditions: listOf(Joi.string()).description(
    'The problems of the node, as NotReady and DiskPressure; NotInitialized while the cloud controller has ' +
      'not initialised it ten minutes after its creation, so that few pods start there. Empty for none.',
  ),
  kubelet_version: Joi.string().allow(''),
  allocatable_gpus: Joi.number()
    .integer()
    .description('NVIDIA GPUs that the device plugin offers to pods, also those that pods have.'),
});

const plugin = part<PluginHealth>({
  name: Joi.string().valid(...pluginKeys),
  status: Joi.string()
    .valid(...PLUGIN_HEALTH_STATUSES)
    .description('Of all programs of the plugin; the worst decides.'),
  message: nullableText().description('What is wrong, in words.'),
});

export const liteClusterHealthShape = shape<LiteClusterHealth>('LiteClusterHealth', {
  cluster_id: Joi.string(),
  cluster_name: Joi.string(),
  status: Joi.string().valid(...HEALTH_STATUSES),
  api_server_reachable: Joi.boolean(),
  healthz_ok: Joi.boolean(),
  nodes: listOf(node),
  plugins: listOf(plugin).description('Empty when they could not be read.'),
  checked_at: timestamp().allow(null),
  certificate_expires_at: timestamp()
    .allow(null)
    .description('When the first certificate of the configuration file ends; null if it is not known.'),
  reachability: Joi.string()
    .valid(...REACHABILITIES)
    .description('How the API server is addressed.'),
});
