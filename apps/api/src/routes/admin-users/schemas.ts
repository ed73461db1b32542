import type { IdentitySearch, User } from '@gateway/resources';
import { userShape } from '@gateway/resources/shapes';
import Joi from 'joi';
import { idField, nameField, passwordField, pathIds } from '../../http/schemas/fields.ts';
import { identitySearch } from '../../http/schemas/identity-search.ts';
import { selectedPages } from '../../pipeline/selected-page.ts';

export interface CreateUserBody {
  name: string;
  email?: string;
  password?: string;
  domain_id?: string;
  enabled: boolean;
}

export type UpdateUserBody = Partial<Omit<CreateUserBody, 'domain_id'>>;

/** The identity service takes any text, but what reads it sends mail. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const emailField = () =>
  nameField().allow('').pattern(EMAIL).messages({ 'string.pattern.base': 'must be an email address' });

export const createUserBody = Joi.object<CreateUserBody, true>({
  name: nameField().required(),
  email: emailField(),
  password: passwordField().description('A user without a password cannot log in.'),
  domain_id: idField().description("The domain of the caller's project by default."),
  enabled: Joi.boolean().default(true),
}).required();

export const updateUserBody = Joi.object<UpdateUserBody, true>({
  name: nameField(),
  email: emailField().description('An empty text removes the address.'),
  enabled: Joi.boolean(),
  password: passwordField(),
})
  .required()
  .meta({ example: () => ({ email: 'new@example.org' }) });

export const userParams = pathIds('user_id');
export const userPages = selectedPages<User, IdentitySearch>('UserPage', userShape, identitySearch, {
  filters: { email: ['email'] },
});
