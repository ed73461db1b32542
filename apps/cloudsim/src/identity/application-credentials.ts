import { newHexId } from '../common/ids.ts';
import { arrayAt, booleanAt, isObject, type JsonObject, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { createAccessRules, parseAccessRules } from './access-rules.ts';
import type { IdentityCloud } from './cloud.ts';
import { roleNamed, rolesOn } from './roles.ts';
import type { ApplicationCredential } from './state.ts';

interface CredentialOwner {
  userId: string;
  projectId: string;
}

const EXPIRED =
  "The 'expires_at' must not be before now. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.";

export function createApplicationCredential(
  cloud: IdentityCloud,
  { userId, projectId }: CredentialOwner,
  input: JsonObject,
): ApplicationCredential {
  const { applicationCredentials } = cloud.identity;
  const name = stringAt(input, 'name');
  if (name === undefined || name.trim() === '') throw badRequest("'name' is a required property");
  const accessRules = input.access_rules == null ? null : parseAccessRules(arrayAt(input, 'access_rules'));
  const expiresAt = stringAt(input, 'expires_at') ?? null;
  if (expiresAt !== null && Date.parse(expiresAt) <= cloud.clock.now()) throw badRequest(EXPIRED);
  const roleIds = rolesFor(cloud, { userId, projectId }, input);
  const isTaken = [...applicationCredentials.values()].some(
    (other) => other.userId === userId && other.name === name,
  );
  // The real service sends the same error for duplicate rules in a request.
  if (isTaken || accessRules === 'repeated')
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
    expiresAt,
    unrestricted: booleanAt(input, 'unrestricted', false),
    accessRuleIds: accessRules && createAccessRules(cloud, userId, accessRules),
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
