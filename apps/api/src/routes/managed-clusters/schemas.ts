import {
  flag,
  id,
  idOrEmpty,
  integer,
  mapOf,
  nonEmptyText,
  shapeLike,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { type ClusterTemplate, type ManagedCluster, managedClusterActions } from '@gateway/resources';
import { allowedActionsField, managedByField } from '@gateway/resources/shapes';
import Joi from 'joi';
import { existingNameField, idField, nameField } from '../../http/schemas/fields.ts';

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

export const managedClusterShape = shapeLike<ManagedCluster>('Cluster', {
  id: id('cluster'),
  name: text('apps'),
  status: nonEmptyText('CREATE_COMPLETE').describe(
    'As in the container infrastructure service: `CREATE_IN_PROGRESS`, `CREATE_COMPLETE`, `CREATE_FAILED`, …',
  ),
  status_reason: text(''),
  cluster_template_id: idOrEmpty('cluster_template'),
  cluster_template_name: text('k8s-template').nullable(),
  master_count: integer(),
  node_count: integer(),
  api_address: text('https://203.0.113.20:6443').describe('Empty until the cluster has a control node.'),
  coe_version: text('v1.31.2'),
  keypair: text('laptop'),
  create_timeout: integer(60).nullable().describe('Minutes.'),
  stack_id: text().nullable(),
  created_at: timestamp().nullable(),
  updated_at: timestamp().nullable(),
  managed_by: managedByField(),
  allowed_actions: allowedActionsField(managedClusterActions),
});

export const clusterTemplateShape = shapeLike<ClusterTemplate>('ClusterTemplate', {
  id: id('cluster_template'),
  name: text('k8s-1.31'),
  coe: text('kubernetes').describe('The orchestrator.'),
  is_public: flag(),
  image_id: idOrEmpty('image').describe('Name or id.'),
  flavor_id: idOrEmpty('flavor').describe('Name or id; of the control nodes, `master_flavor_id`.'),
  master_flavor_id: idOrEmpty('master_flavor'),
  keypair: text('laptop').describe('The key pair of clusters that name none; empty if each names one.'),
  network_driver: text('calico'),
  master_lb_enabled: flag().describe('Whether a cluster may have several control nodes.'),
  floating_ip_enabled: flag(),
  labels: mapOf(text('v1.31.2'), { kube_tag: 'v1.31.2' }),
  created_at: timestamp().nullable(),
});
