import {
  enumOf,
  flag,
  id,
  integer,
  keyOf,
  listOf,
  nonEmptyText,
  oneOf,
  part,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import {
  type ClusterMessage,
  clusterCreationProgress,
  clusterScalingProgress,
  type EventData,
} from '@gateway/jobs';
import {
  HEALTH_STATUSES,
  type LiteClusterHealth,
  MAX_AGENTS,
  PLUGIN_HEALTH_STATUSES,
  pluginKeys,
  REACHABILITIES,
} from '@gateway/lite';
import Joi from 'joi';
import { decisionFields } from '../../http/schemas/error-shape.ts';
import { estimateFields } from '../../http/schemas/estimate.ts';
import { chosenIdField, existingNameField, idField } from '../../http/schemas/fields.ts';
import { RELEASE } from './lite-cluster-shape.ts';

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
    .meta({ name: 'KubeconfigAuth' })
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

export const upgradeLiteClusterBody = Joi.object<UpgradeLiteClusterBody, true>({
  version: Joi.string()
    .description(RELEASE)
    .pattern(/^v\d+\.\d+\.\d+\+k3s\d+$/)
    .max(64)
    .messages({ 'string.pattern.base': 'must be a release of k3s, as v1.36.1+k3s1' })
    .required(),
})
  .required()
  .meta({ name: 'UpgradeLiteCluster', example: () => ({ version: 'v1.36.1+k3s1' }) });

function messageShape<Step extends ClusterMessage['step']>(
  name: string,
  steps: Readonly<Record<Step, number>>,
) {
  return shapeLike<EventData<ClusterMessage>>(name, {
    step: keyOf<ClusterMessage['step']>(steps as Record<ClusterMessage['step'], number>, 'completed'),
    progress: integer(100).min(-1).max(100),
    message: nonEmptyText('The cluster is ready.'),
    cluster_id: id('cluster'),
    error: nonEmptyText().nullable(),
    job_id: id('job'),
    ...estimateFields,
    code: nonEmptyText().describe('The kind of failure.').optional(),
    ...decisionFields,
  });
}

export const liteClusterMessageShape = messageShape('LiteClusterMessage', clusterCreationProgress);
export const liteScalingMessageShape = messageShape('LiteScalingMessage', clusterScalingProgress);

const node = part({
  name: nonEmptyText('apps-server'),
  role: oneOf(['server', 'agent']),
  ready: flag(),
  conditions: listOf(nonEmptyText(), []).describe(
    'The problems of the node, as NotReady and DiskPressure; NotInitialized while the cloud controller has ' +
      'not initialised it ten minutes after its creation, so that few pods start there. Empty for none.',
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

export const liteClusterHealthShape = shapeLike<LiteClusterHealth>('LiteClusterHealth', {
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
