import { type ServerGroupPolicy, serverGroupPolicies } from '@gateway/openstack';
import type { ServerGroup } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nameField, nullableText, shape, text } from '../../http/schemas/fields.ts';

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

export const serverGroupShape = shape<ServerGroup>('ServerGroup', {
  id: Joi.string(),
  name: text(),
  policy: text(),
  instance_ids: listOf(Joi.string()),
  instance_names: listOf(nullableText()),
});
