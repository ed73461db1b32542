import { newHexId } from '../common/ids.ts';
import { type JsonObject, textAt, truthAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import { unauthenticated } from './sign-in.ts';
import type { User } from './state.ts';
import { revokeTokensOf } from './tokens.ts';

export function createUser(cloud: IdentityCloud, given: JsonObject): User {
  const name = textAt(given, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  refuseTakenName(cloud, name, undefined);
  const password = textAt(given, 'password');
  if (password !== undefined) checkPolicy(cloud, password);
  const user: User = {
    id: newHexId(),
    name,
    domainId: textAt(given, 'domain_id') ?? 'default',
    password: password ?? '',
    email: textAt(given, 'email') ?? null,
    description: textAt(given, 'description') ?? null,
    enabled: truthAt(given, 'enabled', true),
    defaultProjectId: textAt(given, 'default_project_id') ?? null,
  };
  cloud.identity.users.set(user.id, user);
  return user;
}

/** A new password, or being disabled, ends every token of the user. */
export function updateUser(cloud: IdentityCloud, user: User, given: JsonObject): void {
  const name = textAt(given, 'name');
  if (name !== undefined) refuseTakenName(cloud, name, user.id);
  const password = textAt(given, 'password');
  if (password !== undefined) checkPolicy(cloud, password);
  user.name = name ?? user.name;
  user.email = textAt(given, 'email') ?? user.email;
  user.description = textAt(given, 'description') ?? user.description;
  user.defaultProjectId = textAt(given, 'default_project_id') ?? user.defaultProjectId;
  user.password = password ?? user.password;
  user.enabled = truthAt(given, 'enabled', user.enabled);
  if (password !== undefined || !user.enabled) revokeTokensOf(cloud, user);
}

/** The user's own change: proven by the old password, revokes the user's tokens. */
export function changePassword(cloud: IdentityCloud, user: User, given: JsonObject): void {
  const original = textAt(given, 'original_password');
  const password = textAt(given, 'password');
  if (original === undefined) throw badRequest("'original_password' is a required property");
  if (password === undefined) throw badRequest("'password' is a required property");
  if (original !== user.password) throw unauthenticated();
  checkPolicy(cloud, password);
  user.password = password;
  revokeTokensOf(cloud, user);
}

export function deleteUser(cloud: IdentityCloud, user: User): void {
  revokeTokensOf(cloud, user);
  cloud.identity.users.delete(user.id);
  for (const [key] of cloud.identity.grants)
    if (key.endsWith(`:${user.id}`)) cloud.identity.grants.delete(key);
  for (const group of cloud.identity.groups.values()) group.userIds.delete(user.id);
}

function checkPolicy(cloud: IdentityCloud, password: string): void {
  const policy = cloud.settings.passwordPolicy;
  if (policy !== null && !new RegExp(policy.regex).test(password))
    throw badRequest(`The password does not match the requirements: ${policy.description}.`);
}

function refuseTakenName(cloud: IdentityCloud, name: string, exceptId: string | undefined): void {
  for (const user of cloud.identity.users.values())
    if (isSameName(user.name, name) && user.id !== exceptId)
      throw conflict(
        `Conflict occurred attempting to store user - Duplicate entry found with name ${name} at domain ID default.`,
      );
}
