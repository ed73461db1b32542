import { newHexId } from '../common/ids.ts';
import { booleanAt, type JsonObject, objectAt, stringAt } from '../common/json.ts';
import { badRequest, conflict } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isSameName } from './names.ts';
import { requireDomain } from './policy.ts';
import { unauthenticated } from './sign-in.ts';
import type { User, UserOptions } from './state.ts';
import { revokeTokensOf } from './tokens.ts';

export function createUser(cloud: IdentityCloud, input: JsonObject): User {
  const name = stringAt(input, 'name');
  if (name === undefined) throw badRequest("'name' is a required property");
  const domainId = stringAt(input, 'domain_id') ?? 'default';
  requireDomain({ cloud }, domainId);
  requireFreeName(cloud, { name, domainId });
  const password = stringAt(input, 'password');
  if (password !== undefined) checkPolicy(cloud, password);
  const user: User = {
    id: newHexId(),
    name,
    domainId,
    password: password ?? '',
    passwordExpiresMs: password === undefined ? null : expiryOfSetPassword(cloud),
    options: optionsIn(input),
    email: stringAt(input, 'email') ?? null,
    description: stringAt(input, 'description') ?? null,
    enabled: booleanAt(input, 'enabled', true),
    defaultProjectId: stringAt(input, 'default_project_id') ?? null,
  };
  cloud.identity.users.set(user.id, user);
  return user;
}

/** Changing the password or disabling the user revokes all tokens of the user. */
export function updateUser(cloud: IdentityCloud, user: User, input: JsonObject): void {
  const name = stringAt(input, 'name');
  if (name !== undefined) requireFreeName(cloud, { id: user.id, name, domainId: user.domainId });
  const password = stringAt(input, 'password');
  if (password !== undefined) checkPolicy(cloud, password);
  user.name = name ?? user.name;
  user.email = stringAt(input, 'email') ?? user.email;
  user.description = stringAt(input, 'description') ?? user.description;
  user.defaultProjectId = stringAt(input, 'default_project_id') ?? user.defaultProjectId;
  if (password !== undefined) {
    user.password = password;
    user.passwordExpiresMs = expiryOfSetPassword(cloud);
  }
  user.options = { ...user.options, ...optionsIn(input) };
  user.enabled = booleanAt(input, 'enabled', user.enabled);
  if (password !== undefined || !user.enabled) revokeTokensOf(cloud, user);
}

/**
 * A password change by the user: requires the old password, which may have expired, and revokes all tokens of
 * the user.
 */
export function changePassword(cloud: IdentityCloud, user: User, input: JsonObject): void {
  const original = stringAt(input, 'original_password');
  const password = stringAt(input, 'password');
  if (original === undefined) throw badRequest("'original_password' is a required property");
  if (password === undefined) throw badRequest("'password' is a required property");
  if (original !== user.password) throw unauthenticated();
  checkPolicy(cloud, password);
  user.password = password;
  user.passwordExpiresMs = null;
  revokeTokensOf(cloud, user);
}

/** When a password expires that an administrator has set. */
function expiryOfSetPassword({ clock, settings }: IdentityCloud): number | null {
  return settings.changePasswordUponFirstUse ? clock.now() : null;
}

function optionsIn(input: JsonObject): UserOptions {
  return objectAt(input, 'options') as UserOptions;
}

export function deleteUser(cloud: IdentityCloud, user: User): void {
  revokeTokensOf(cloud, user);
  cloud.identity.users.delete(user.id);
  for (const { id, trustorId, trusteeId } of cloud.identity.trusts.values())
    if (trustorId === user.id || trusteeId === user.id) cloud.identity.trusts.delete(id);
  for (const [key] of cloud.identity.grants)
    if (key.endsWith(`:${user.id}`)) cloud.identity.grants.delete(key);
  for (const group of cloud.identity.groups.values()) group.userIds.delete(user.id);
  for (const credential of cloud.identity.applicationCredentials.values())
    if (credential.userId === user.id) cloud.identity.applicationCredentials.delete(credential.id);
  for (const { id, userId } of cloud.identity.credentials.values())
    if (userId === user.id) cloud.identity.credentials.delete(id);
  for (const rule of cloud.identity.accessRules.values())
    if (rule.userId === user.id) cloud.identity.accessRules.delete(rule.id);
}

function checkPolicy(cloud: IdentityCloud, password: string): void {
  const policy = cloud.settings.passwordPolicy;
  if (policy !== null && !new RegExp(policy.regex).test(password))
    throw badRequest(`The password does not match the requirements: ${policy.description}.`);
}

function requireFreeName(
  { identity }: IdentityCloud,
  { domainId, id, name }: Pick<User, 'name' | 'domainId'> & { id?: string },
): void {
  for (const user of identity.users.values())
    if (isSameName(user.name, name) && user.domainId === domainId && user.id !== id)
      throw conflict(
        `Conflict occurred attempting to store user - Duplicate entry found with name ${name} at domain ID ${domainId}.`,
      );
}
