import type { AdminProject, IdentitySearch } from '@gateway/resources';
import { adminProjectShape } from '@gateway/resources/shapes';
import Joi from 'joi';
import { idField, longDescriptionField, nameField, pathIds } from '../../http/schemas/fields.ts';
import { identitySearch } from '../../http/schemas/identity-search.ts';
import { selectedPages } from '../../pipeline/selected-page.ts';

export interface CreateProjectBody {
  name: string;
  description?: string;
  domain_id?: string;
  enabled: boolean;
}

export type UpdateProjectBody = Partial<Omit<CreateProjectBody, 'domain_id'>>;

/** What the service accepts. */
const MAX_NAME_LENGTH = 64;

export const createProjectBody = Joi.object<CreateProjectBody, true>({
  name: nameField().max(MAX_NAME_LENGTH).required(),
  description: longDescriptionField(),
  domain_id: idField().description("The domain of the caller's project by default."),
  enabled: Joi.boolean().default(true),
}).required();

export const updateProjectBody = Joi.object<UpdateProjectBody, true>({
  name: nameField().max(MAX_NAME_LENGTH),
  description: longDescriptionField(),
  enabled: Joi.boolean(),
})
  .required()
  .meta({ example: () => ({ enabled: false }) });

export const projectParams = pathIds('project_id');
export const projectPages = selectedPages<AdminProject, IdentitySearch>(
  'AdminProjectPage',
  adminProjectShape,
  identitySearch,
);
