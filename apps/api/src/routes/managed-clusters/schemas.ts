import { type ClusterTemplate, type ManagedCluster, managedClusterActions } from '@gateway/resources';
import Joi from 'joi';
import { allowedActionsField, managedByField } from '../../http/schemas/actions.ts';
import {
  existingNameField,
  idField,
  nameField,
  nullableText,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

export interface CreateManagedClusterBody {
  name: string;
  cluster_template_id: string;
  node_count?: number;
  master_count?: number;
  keypair?: string;
}

/** What the service stores; how many a project may have is its own. */
const MAX_NODES = 2_147_483_647;

export const createManagedClusterBody = Joi.object<CreateManagedClusterBody, true>({
  name: nameField().required(),
  cluster_template_id: idField().required(),
  node_count: Joi.number().integer().min(0).max(MAX_NODES).description('1 by default.'),
  master_count: Joi.number().integer().min(1).max(MAX_NODES).description('1 by default.'),
  keypair: existingNameField(),
})
  .required()
  .meta({ name: 'CreateCluster' });

export const managedClusterShape = shape<ManagedCluster>(
  'Cluster',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string().description(
      'As in the container infrastructure service: `CREATE_IN_PROGRESS`, `CREATE_COMPLETE`, `CREATE_FAILED`, …',
    ),
    status_reason: text(),
    cluster_template_id: text(),
    cluster_template_name: nullableText(),
    master_count: Joi.number().integer(),
    node_count: Joi.number().integer(),
    api_address: text().description('Empty until the cluster has a control node.'),
    coe_version: text(),
    keypair: text(),
    create_timeout: Joi.number().integer().allow(null).description('Minutes.'),
    stack_id: nullableText(),
    created_at: timestamp().allow(null),
    updated_at: timestamp().allow(null),
    managed_by: managedByField(),
    allowed_actions: allowedActionsField(managedClusterActions),
  },
  () => ({ status: 'CREATE_COMPLETE', status_reason: '', keypair: 'laptop' }),
);

export const clusterTemplateShape = shape<ClusterTemplate>(
  'ClusterTemplate',
  {
    id: Joi.string(),
    name: text(),
    coe: text().description('The orchestrator.'),
    is_public: Joi.boolean(),
    image_id: text().description('Name or id.'),
    flavor_id: text().description('Name or id; of the control nodes, `master_flavor_id`.'),
    master_flavor_id: text(),
    keypair: text().description('The key pair of clusters that name none; empty if each names one.'),
    network_driver: text(),
    master_lb_enabled: Joi.boolean().description('Whether a cluster may have several control nodes.'),
    floating_ip_enabled: Joi.boolean(),
    labels: Joi.object().pattern(Joi.string(), text()),
    created_at: timestamp().allow(null),
  },
  () => ({ network_driver: 'calico', labels: { kube_tag: 'v1.31.2' } }),
);
