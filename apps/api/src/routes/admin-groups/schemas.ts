import type { IdentitySearch } from '@gateway/resources';
import Joi from 'joi';
import { idField, longDescriptionField, nameField, pathIds } from '../../http/schemas/fields.ts';
import { identitySearch } from '../../http/schemas/identity-search.ts';
import { type ListQuery, listQuery } from '../../pipeline/cached-list.ts';

export interface CreateGroupBody {
  name: string;
  description?: string;
  domain_id?: string;
}

export type UpdateGroupBody = Partial<Omit<CreateGroupBody, 'domain_id'>>;

/** What the service accepts. */
const MAX_NAME_LENGTH = 64;

export const createGroupBody = Joi.object<CreateGroupBody, true>({
  name: nameField().max(MAX_NAME_LENGTH).required(),
  description: longDescriptionField(),
  domain_id: idField().description("The domain of the caller's project by default."),
}).required();

export const updateGroupBody = Joi.object<UpdateGroupBody, true>({
  name: nameField().max(MAX_NAME_LENGTH),
  description: longDescriptionField(),
})
  .required()
  .meta({ example: () => ({ description: 'Who operate the cloud' }) });

export type GroupsQuery = ListQuery & IdentitySearch;
export const groupsQuery = listQuery.concat(Joi.object(identitySearch)) as Joi.ObjectSchema<GroupsQuery>;
export const groupParams = pathIds('group_id');
export const groupUserParams = pathIds('group_id', 'user_id');
