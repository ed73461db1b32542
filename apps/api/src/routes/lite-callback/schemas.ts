import type { ControlNodeProgress, ControlNodeReport } from '@gateway/lite';
import Joi from 'joi';
import { reportedErrorField } from '../../http/schemas/fields.ts';
import { addressField } from '../../http/schemas/network-addresses.ts';

export type ClusterReportBody = ControlNodeReport & { token: string };
export type ClusterProgressBody = ControlNodeProgress & { token: string };

export interface AgentFailureBody {
  token: string;
  server_id: string;
  error: string;
}

export interface KubeconfigReportBody {
  token: string;
  kubeconfig: string;
}

const MAX_KUBECONFIG_LENGTH = 65_536;
const MAX_PLUGINS = 50;
const MAX_PODS = 200;

const kubeconfig = () =>
  Joi.string()
    .max(MAX_KUBECONFIG_LENGTH)
    .description('The configuration file of the administrator, as YAML.');
const text = (max: number) =>
  Joi.string()
    .max(max)
    .pattern(/^[^\p{Cc}]*$/u);

export const clusterReportBody = Joi.object<ClusterReportBody, true>({
  token: Joi.string().max(255).required(),
  success: Joi.boolean().default(true),
  kubeconfig: kubeconfig().when('success', { not: true, otherwise: Joi.required() }),
  node_token: text(1024)
    .when('success', { not: true, otherwise: Joi.required() })
    .description('The token that agents join with.'),
  server_ip: addressField().when('success', { not: true, otherwise: Joi.required() }),
  k3s_version: text(255),
  plugin_status: Joi.object()
    .pattern(
      Joi.string().max(64),
      Joi.string().valid('deployed', 'failed').meta({ name: 'PluginDeployment' }),
    )
    .max(MAX_PLUGINS),
  plugin_pods: Joi.object()
    .pattern(Joi.string().max(64), Joi.array().items(Joi.object()).max(MAX_PODS))
    .max(MAX_PLUGINS)
    .description('By plugin that did not become available: the status of its pods, as in Kubernetes.'),
  error: reportedErrorField(),
})
  .required()
  .meta({
    name: 'LiteClusterReport',
    example: () => ({ success: false, error: 'The packages could not be installed.' }),
  });

const word = () =>
  Joi.string()
    .max(64)
    .pattern(/^[a-z0-9_]+$/);

export const clusterProgressBody = Joi.object<ClusterProgressBody, true>({
  token: Joi.string().max(255).required(),
  stage: word().required().description('What the control node does.'),
  plugin: word().description('The plugin that it installs or waits for.'),
})
  .required()
  .meta({ name: 'LiteClusterProgress', example: () => ({ stage: 'plugin', plugin: 'block_csi' }) });

export const agentFailureBody = Joi.object<AgentFailureBody, true>({
  token: Joi.string().max(255).required(),
  server_id: Joi.string().guid().required().description('The id of the agent in the compute service.'),
  error: reportedErrorField().disallow('', null).required().description('Stage and reason.'),
})
  .required()
  .meta({
    name: 'LiteAgentFailure',
    example: () => ({ error: 'stage download: the install script could not be downloaded' }),
  });

export const kubeconfigReportBody = Joi.object<KubeconfigReportBody, true>({
  token: Joi.string().max(255).required(),
  kubeconfig: kubeconfig().required(),
})
  .required()
  .meta({
    name: 'LiteKubeconfigReport',
    example: () => ({ kubeconfig: 'apiVersion: v1\nkind: Config\nclusters: []\n' }),
  });
