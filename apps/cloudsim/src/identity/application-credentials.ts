import { newHexId } from '../common/ids.ts';
import { arrayAt, booleanAt, isObject, type Json, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { roleNamed, rolesOn } from './roles.ts';
import type { AccessRule, ApplicationCredential } from './state.ts';

const METHODS = ['POST', 'GET', 'HEAD', 'PATCH', 'PUT', 'DELETE'];

interface CredentialOwner {
  userId: string;
  projectId: string;
}

export function createApplicationCredential(
  cloud: IdentityCloud,
  { userId, projectId }: CredentialOwner,
  input: JsonObject,
): ApplicationCredential {
  const { applicationCredentials } = cloud.identity;
  const name = stringAt(input, 'name');
  if (name === undefined || name.trim() === '') throw badRequest("'name' is a required property");
  const accessRules = input.access_rules == null ? null : arrayAt(input, 'access_rules').map(accessRule);
  const roleIds = rolesFor(cloud, { userId, projectId }, input);
  const isTaken = [...applicationCredentials.values()].some(
    (other) => other.userId === userId && other.name === name,
  );
  // The real service sends the same error for duplicate rules in a request.
  if (isTaken || hasRepeated(accessRules ?? []))
    throw conflict(
      `Conflict occurred attempting to store application_credential - Duplicate entry found with name ${name}.`,
    );
  const credential: ApplicationCredential = {
    id: newHexId(),
    name,
    userId,
    projectId,
    secret: stringAt(input, 'secret') ?? newHexId(),
    description: stringAt(input, 'description') ?? null,
    roleIds,
    expiresAt: stringAt(input, 'expires_at') ?? null,
    unrestricted: booleanAt(input, 'unrestricted', false),
    accessRules,
  };
  applicationCredentials.set(credential.id, credential);
  return credential;
}

/** The requested roles of the user in the project; all roles by default. */
function rolesFor(
  { identity }: IdentityCloud,
  { userId, projectId }: CredentialOwner,
  input: JsonObject,
): string[] {
  const held = rolesOn(identity, projectId, userId).map((role) => role.id);
  if (input.roles === undefined) return held;
  return arrayAt(input, 'roles').map((entry) => {
    const ref = isObject(entry) ? entry : {};
    const name = stringAt(ref, 'name') ?? '';
    const role = identity.roles.get(stringAt(ref, 'id') ?? '') ?? roleNamed(identity, name);
    if (role === undefined) throw notFound(`Role ${name} is not defined`);
    if (!held.includes(role.id))
      throw badRequest(
        'Invalid application credential: Cannot create an application credential with unassigned role',
      );
    return role.id;
  });
}

function accessRule(entry: Json): AccessRule {
  const rule = isObject(entry) ? entry : {};
  const [service = '', method = '', path = ''] = ['service', 'method', 'path'].map((key) =>
    stringAt(rule, key),
  );
  const isValid = METHODS.includes(method) && path.startsWith('/') && /^[a-zA-Z0-9-]+$/.test(service);
  if (!isValid) throw badRequest("Invalid input for field 'access_rules'");
  return { id: newHexId(), service, method, path };
}

function hasRepeated(rules: readonly AccessRule[]): boolean {
  const texts = rules.map(({ service, method, path }) => `${service} ${method} ${path}`);
  return new Set(texts).size < texts.length;
}
