import type { Group } from '@gateway/views';
import Joi from 'joi';
import { descriptionField, idField, nameField, pathIds, shape, text } from '../../http/schemas/fields.ts';

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
  description: descriptionField(),
  domain_id: idField().description("The domain of the caller's project by default."),
}).required();

export const updateGroupBody = Joi.object<UpdateGroupBody, true>({
  name: nameField().max(MAX_NAME_LENGTH),
  description: descriptionField(),
})
  .min(1)
  .required()
  .meta({ example: () => ({ description: 'Who operate the cloud' }) });

export const groupShape = shape<Group>('Group', {
  id: Joi.string(),
  name: text(),
  description: text(),
  domain_id: Joi.string(),
});

export const groupParams = pathIds('group_id');
export const groupUserParams = pathIds('group_id', 'user_id');
