import type { Role } from '@gateway/resources';
import Joi from 'joi';
import { chosenIdField, idField, nullableText, shape, text } from '../../http/schemas/fields.ts';

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

export const roleShape = shape<Role>('Role', {
  id: Joi.string(),
  name: text(),
  domain_id: nullableText().description('Null for a role of all domains.'),
  domain_name: nullableText(),
});

export const assignedShape = shape<{ status: 'assigned' }>('RoleAssigned', {
  status: Joi.string().valid('assigned'),
});
export const revokedShape = shape<{ status: 'revoked' }>('RoleRevoked', {
  status: Joi.string().valid('revoked'),
});
