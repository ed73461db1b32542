import {
  id,
  idOrEmpty,
  integer,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { allowedActionsField, managedByField } from '../actions/action-fields.ts';
import { managedClusterActions } from '../actions/managed-cluster-actions.ts';

export const managedClusterShape = shape('Cluster', {
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
  /** Nothing marks a managed cluster, so always null. */
  managed_by: managedByField(),
  allowed_actions: allowedActionsField('cluster', managedClusterActions),
});

export type ManagedCluster = ShapeType<typeof managedClusterShape>;
