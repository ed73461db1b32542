import Joi from 'joi';
import { longDescriptionField, nameField, pathIds } from '../../http/schemas/fields.ts';

export interface CreateDomainBody {
  name: string;
  description?: string;
  enabled: boolean;
}

export type UpdateDomainBody = Partial<CreateDomainBody>;

/** What the service accepts. */
const MAX_NAME_LENGTH = 64;

export const createDomainBody = Joi.object<CreateDomainBody, true>({
  name: nameField().max(MAX_NAME_LENGTH).required(),
  description: longDescriptionField(),
  enabled: Joi.boolean().default(true),
})
  .required()
  .meta({ name: 'CreateDomain', example: () => ({ name: 'physics' }) });

export const updateDomainBody = Joi.object<UpdateDomainBody, true>({
  name: nameField().max(MAX_NAME_LENGTH),
  description: longDescriptionField(),
  enabled: Joi.boolean(),
})
  .required()
  .meta({ name: 'UpdateDomain', example: () => ({ enabled: false }) });

export const domainParams = pathIds('domain_id');
