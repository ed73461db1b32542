import type { AccessRule } from '@gateway/openstack';
import Joi from 'joi';
import {
  existingNameField,
  longDescriptionField,
  nameField,
  pathIds,
  timestampField,
} from '../../http/schemas/fields.ts';

export const credentialParams = pathIds('credential_id');

export interface CredentialBody {
  name: string;
  description?: string;
  roles?: string[];
  expires_at?: string;
  access_rules?: AccessRule[];
}

export const credentialBody = Joi.object<CredentialBody, true>({
  name: nameField().required().description("Unique among the user's credentials."),
  description: longDescriptionField(),
  roles: Joi.array()
    .items(existingNameField())
    .min(1)
    .description('Names of roles that the caller holds in the project; all of them by default.'),
  expires_at: timestampField().description(
    'When the credential expires: in the future. Without it, the credential never expires.',
  ),
  access_rules: Joi.array()
    .items(
      Joi.object({
        service: Joi.string()
          // What the service accepts.
          .pattern(/^[a-zA-Z0-9-]{1,64}$/)
          .messages({ 'string.pattern.base': 'must be the type of a service' })
          .required()
          .description('The type of the service in the catalog.'),
        method: Joi.string().valid('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE').required(),
        path: Joi.string()
          // The service takes others, too, but compares only paths, so that no request would be permitted.
          .pattern(/^\/[^\s?#]{0,224}$/)
          .messages({ 'string.pattern.base': 'must be a path that begins with a slash' })
          .required()
          .description('`*` stands for a segment of the path, `**` for any text.'),
      }),
    )
    .min(1)
    .description(
      'The only requests to services that the credential permits. A program with such a credential cannot use the gateway.',
    ),
})
  .meta({ example: () => ({ name: 'ci', roles: ['member'], expires_at: '2027-01-31T00:00:00Z' }) })
  .required();
