import { MAX_AGENTS } from '@gateway/lite';
import Joi from 'joi';
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
