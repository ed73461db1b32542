import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface AddInterfaceBody {
  net_id: string;
}

export const addInterfaceBody = Joi.object<AddInterfaceBody, true>({ net_id: idField().required() })
  .required()
  .meta({ name: 'AddInterface' });

export interface PortSecurityGroupsBody {
  security_group_ids: string[];
}

/** More than a project has by default (10). */
const MAX_SECURITY_GROUPS = 100;

export const portSecurityGroupsBody = Joi.object<PortSecurityGroupsBody, true>({
  security_group_ids: Joi.array()
    .items(idField())
    .max(MAX_SECURITY_GROUPS)
    .required()
    .description('Replaces the security groups of the port. An empty array removes all.'),
})
  .required()
  .meta({ name: 'SetPortSecurityGroups' });
