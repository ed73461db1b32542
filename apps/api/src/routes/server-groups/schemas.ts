import { type ServerGroupPolicy, serverGroupPolicies } from '@gateway/openstack';
import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';

export interface CreateServerGroupBody {
  name: string;
  policy: ServerGroupPolicy;
}

export const createServerGroupBody = Joi.object<CreateServerGroupBody, true>({
  name: nameField().required(),
  policy: Joi.string()
    .valid(...serverGroupPolicies)
    .required()
    .description(
      '`affinity`: on one host; `anti-affinity`: on different hosts. The `soft-` policies use another host rather than refuse an instance.',
    ),
})
  .required()
  .meta({ name: 'CreateServerGroup' });
