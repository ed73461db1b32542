import { RIGHTS, type Right } from '@gateway/context';
import { toTimestamp } from '@gateway/core';
import {
  flag,
  id,
  idOrEmpty,
  listOf,
  nonEmptyText,
  oneOf,
  type ShapeType,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import type { Identity } from '@gateway/openstack';

/** A user in a project, each in a domain. Texts are empty for a token without a project. */
const userInProject = {
  user_id: id('user'),
  username: nonEmptyText('demo'),
  user_domain_id: idOrEmpty('user_domain'),
  user_domain_name: text('Default'),
  project_id: idOrEmpty('project'),
  project_name: text('demo'),
  project_domain_id: idOrEmpty('project_domain'),
  project_domain_name: text('Default'),
};

export const tokenShape = shape('TokenResponse', {
  token: text('gAAAAABpIYd0kq3oV1s7mXc2fT9bLr5wEj8yHn4uZa6DpGx0').describe(
    'For the X-Auth-Token header; empty if it is in a cookie.',
  ),
  ...userInProject,
  project_id: id('project'),
  project_name: nonEmptyText('demo'),
  expires_at: timestamp('2026-11-22T10:30:00Z'),
  roles: listOf(nonEmptyText('member')).describe('Those held in the project.'),
  is_admin: flag(false).describe('Whether they make the user an administrator.'),
});

export type IssuedToken = ShapeType<typeof tokenShape>;

export const currentUserShape = shape('CurrentUser', {
  ...userInProject,
  roles: listOf(nonEmptyText('member')),
  can: listOf(oneOf(RIGHTS, 'change')).describe(
    'What the gateway allows the user in the project. `administer`: the endpoints for administrators. `change`: ' +
      'changes of what the gateway itself stores, such as clusters. An operation names what it requires in ' +
      '`x-requires`. The services of the cloud have further rules.',
  ),
});

type CurrentUser = ShapeType<typeof currentUserShape>;

export function presentToken(identity: Identity, isAdmin: boolean): IssuedToken {
  return {
    token: identity.token,
    ...presentUserInProject(identity),
    expires_at: toTimestamp(identity.expiresAt) ?? '',
    roles: identity.roles,
    is_admin: isAdmin,
  };
}

export function presentCurrentUser(identity: Identity, can: readonly Right[]): CurrentUser {
  return { ...presentUserInProject(identity), roles: identity.roles, can: [...can] };
}

function presentUserInProject(identity: Identity) {
  return {
    user_id: identity.userId,
    username: identity.userName,
    user_domain_id: identity.userDomainId,
    user_domain_name: identity.userDomainName,
    project_id: identity.projectId,
    project_name: identity.projectName,
    project_domain_id: identity.projectDomainId,
    project_domain_name: identity.projectDomainName,
  };
}
