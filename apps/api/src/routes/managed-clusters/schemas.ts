import Joi from 'joi';
import { existingNameField, idField, nameField } from '../../http/schemas/fields.ts';

export interface CreateManagedClusterBody {
  name: string;
  cluster_template_id: string;
  node_count?: number;
  master_count?: number;
  keypair?: string;
}

/** What the service stores; how many a project may have is its own. None needs a later microversion. */
const MAX_NODES = 2_147_483_647;

export const createManagedClusterBody = Joi.object<CreateManagedClusterBody, true>({
  name: nameField().required(),
  cluster_template_id: idField().required(),
  node_count: Joi.number().integer().min(1).max(MAX_NODES).description('1 by default.'),
  master_count: Joi.number().integer().min(1).max(MAX_NODES).description('1 by default.'),
  keypair: existingNameField(),
})
  .required()
  .meta({ name: 'CreateCluster' });
