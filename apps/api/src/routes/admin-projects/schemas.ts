import type { AdminProject, IdentitySearch, ProjectMember, ProjectName } from '@gateway/resources';
import Joi from 'joi';
import {
  idField,
  longDescriptionField,
  nameField,
  nullableText,
  pathIds,
  shape,
  text,
} from '../../http/schemas/fields.ts';
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

export const projectShape = shape<AdminProject>('AdminProject', {
  id: Joi.string(),
  name: text(),
  description: text(),
  enabled: Joi.boolean(),
  domain_id: text(),
  domain_name: nullableText(),
  created_at: Joi.valid(null).description('Always null: the service does not record it.'),
});

export const projectNameShape = shape<ProjectName>('ProjectName', { id: Joi.string(), name: text() });

export const memberShape = shape<ProjectMember>('ProjectMember', {
  user_id: text().description('For a group, `group:` and its id.'),
  user_name: text().description('For a group, `Group: ` and its name.'),
  role_id: text(),
  role_name: text(),
  type: Joi.string().valid('user', 'group'),
  group_id: Joi.string().optional().description('Present for a group.'),
});

export const projectParams = pathIds('project_id');
export type ProjectsQuery = PageQuery & IdentitySearch;
export const projectsQuery = Joi.object<ProjectsQuery, true>({ ...pageQuery, ...identitySearch });
export const projectPageShape = pageShape('AdminProjectPage', projectShape);
