import { flag, id, idOrEmpty, nonEmptyText, nothing, oneOf, shapeLike, text } from '@gateway/core/shapes';
import type { AdminProject, IdentitySearch, ProjectMember, ProjectName } from '@gateway/resources';
import Joi from 'joi';
import { idField, longDescriptionField, nameField, pathIds } from '../../http/schemas/fields.ts';
import { identitySearch } from '../../http/schemas/identity-search.ts';
import { type PageQuery, pageQuery, pageShape } from '../../http/schemas/page.ts';

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

export const projectShape = shapeLike<AdminProject>('AdminProject', {
  id: id('project'),
  name: text('demo'),
  description: text(''),
  enabled: flag(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').nullable(),
  created_at: nothing().describe('Always null: the service does not record it.'),
});

export const projectNameShape = shapeLike<ProjectName>('ProjectName', {
  id: id('project_name'),
  name: text('demo'),
});

export const memberShape = shapeLike<ProjectMember>('ProjectMember', {
  user_id: idOrEmpty('user').describe('For a group, `group:` and its id.'),
  user_name: text('demo').describe('For a group, `Group: ` and its name.'),
  role_id: idOrEmpty('role'),
  role_name: text('member'),
  type: oneOf(['user', 'group']),
  group_id: nonEmptyText().describe('Present for a group.').optional(),
});

export const projectParams = pathIds('project_id');
export type ProjectsQuery = PageQuery & IdentitySearch;
export const projectsQuery = Joi.object<ProjectsQuery, true>({ ...pageQuery, ...identitySearch });
export const projectPageShape = pageShape('AdminProjectPage', projectShape);
