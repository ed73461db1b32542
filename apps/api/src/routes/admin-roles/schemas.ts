import { id, idOrEmpty, oneOf, shape, shapeLike, text } from '@gateway/core/shapes';
import type { Role } from '@gateway/resources';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';

export interface UserRole {
  user_id: string;
  project_id: string;
  role_id: string;
}

export interface GroupRole {
  group_id: string;
  project_id: string;
  role_id: string;
}

const where = { project_id: idField().required(), role_id: idField().required() };

/** Fields of bodies and of queries. */
export const userRoleFields = Joi.object<UserRole, true>({ user_id: chosenIdField().required(), ...where });
export const groupRoleFields = Joi.object<GroupRole, true>({
  group_id: chosenIdField().required(),
  ...where,
});

export const roleShape = shapeLike<Role>('Role', {
  id: id('role'),
  name: text('member'),
  domain_id: idOrEmpty('domain').nullable().describe('Null for a role of all domains.'),
  domain_name: text('Default').nullable(),
});

export const assignedShape = shape('RoleAssigned', {
  status: oneOf(['assigned']),
});
export const revokedShape = shape('RoleRevoked', {
  status: oneOf(['revoked']),
});
