import { arrayAt, type Json, type JsonObject, objectAt, stringAt } from '../common/json.ts';
import { badRequest, forbidden, notFound, ServiceError } from '../common/service-error.ts';
import type { IdentityCloud } from './cloud.ts';
import { isPasscode, issueReceipt, meetsRules, validReceipt } from './factors.ts';
import { isSameName } from './names.ts';
import { accessRulesOf } from './permitted-requests.ts';
import { rolesOn, systemRolesOf } from './roles.ts';
import type { Project, Receipt, Token, User } from './state.ts';
import { effectiveRoles, isActive, issueToken, trustedRoles, validToken } from './tokens.ts';
import { isExpired } from './trusts.ts';

/** The error is the same for a wrong user, password or scope. */
export function unauthenticated(): ServiceError {
  return new ServiceError(401, 'The request you have made requires authentication.');
}

/**
 * Handles `POST /auth/tokens`: authenticates the user, then determines the scope. Returns a receipt if the
 * user's rules require more methods than those of the request and of `receiptId` together.
 */
export function signIn(
  cloud: IdentityCloud,
  body: Json | undefined,
  receiptId: string | undefined,
): Token | Receipt {
  const auth = objectAt(body, 'auth');
  const identity = objectAt(auth, 'identity');
  const methods = arrayAt(identity, 'methods').filter((method) => typeof method === 'string');
  if (auth.identity === undefined) throw badRequest("'identity' is a required property");
  if (methods.length === 0) throw badRequest("'methods' is a required property");
  if (methods.includes('application_credential')) return byApplicationCredential(cloud, identity);
  const scope = objectAt(auth, 'scope');
  // The service searches for the project first, and for a role in it last.
  if (
    scope.project !== undefined &&
    !isActive(cloud.identity, findProject(cloud, objectAt(scope, 'project')))
  )
    throw unauthenticated();
  const proof = methods.includes('token')
    ? byToken(cloud, identity)
    : { user: byFactors(cloud, identity, methods) };
  const { methods: proven = [] } = receiptId === undefined ? {} : validReceipt(cloud, receiptId, proof.user);
  const allMethods = [...new Set([...(proof.parent?.methods ?? []), ...methods, ...proven])];
  if (!meetsRules(proof.user, allMethods)) return issueReceipt(cloud, proof.user, allMethods);
  const grant = { userId: proof.user.id, methods: allMethods, parent: proof.parent };
  if (auth.scope === 'unscoped') return issueToken(cloud, { ...grant, projectId: null });
  if (scope.system !== undefined) {
    if (systemRolesOf(cloud.identity, proof.user.id).length === 0) throw unauthenticated();
    return issueToken(cloud, { ...grant, projectId: null, isOfSystem: true });
  }
  const trustId = stringAt(objectAt(scope, 'OS-TRUST:trust'), 'id');
  if (trustId !== undefined) return byTrust(cloud, trustId, proof.user, grant);
  if (scope.project !== undefined && proof.parent?.isOfSystem) {
    throw forbidden(
      'You are not authorized to perform the requested action: Using a system-scoped token to create a project-scoped or domain-scoped token is not allowed..',
    );
  }
  const projectId =
    scope.project === undefined ? defaultProject(cloud, proof) : scopedProject(cloud, scope, proof);
  return issueToken(cloud, { ...grant, projectId });
}

interface Proof {
  user: User;
  parent?: Token;
}

/** The user whom all of the methods identify. */
function byFactors(cloud: IdentityCloud, identity: JsonObject, methods: string[]): User {
  if (!methods.includes('totp')) return byPassword(cloud, identity);
  const user = byPasscode(cloud, identity);
  if (methods.includes('password') && byPassword(cloud, identity) !== user) throw unauthenticated();
  return user;
}

function byPassword(cloud: IdentityCloud, identity: JsonObject): User {
  const input = objectAt(objectAt(identity, 'password'), 'user');
  const user = findUser(cloud, input);
  if (!isActive(cloud.identity, user) || user.password !== stringAt(input, 'password'))
    throw unauthenticated();
  if (user.passwordExpiresMs !== null && user.passwordExpiresMs <= cloud.clock.now()) {
    throw new ServiceError(401, `The password is expired and needs to be changed for user: ${user.id}.`);
  }
  return user;
}

function byPasscode(cloud: IdentityCloud, identity: JsonObject): User {
  const input = objectAt(objectAt(identity, 'totp'), 'user');
  const user = findUser(cloud, input);
  const isAccepted = isActive(cloud.identity, user) && isPasscode(cloud, user, stringAt(input, 'passcode'));
  if (!isAccepted) throw unauthenticated();
  return user;
}

function findUser(cloud: IdentityCloud, input: JsonObject): User | undefined {
  const { users } = cloud.identity;
  const id = stringAt(input, 'id');
  if (id !== undefined) return users.get(id);
  const name = stringAt(input, 'name');
  if (name === undefined)
    throw badRequest('Expecting to find id or name in user. The client is assumed to be in error.');
  const domainId = domainOf(cloud, input);
  for (const user of users.values())
    if (isSameName(user.name, name) && user.domainId === domainId) return user;
  return undefined;
}

function domainOf(cloud: IdentityCloud, input: JsonObject): string {
  const domain = objectAt(input, 'domain');
  const id = stringAt(domain, 'id');
  if (id !== undefined) return id;
  const name = stringAt(domain, 'name');
  if (name === undefined)
    throw badRequest('Expecting to find domain in user. The client is assumed to be in error.');
  for (const known of cloud.identity.domains.values()) if (isSameName(known.name, name)) return known.id;
  return '';
}

function byToken(cloud: IdentityCloud, identity: JsonObject): Proof {
  const id = stringAt(objectAt(identity, 'token'), 'id');
  if (id === undefined) throw badRequest("'id' is a required property");
  const parent = validToken(cloud, id);
  refuseAccessRules(cloud, parent);
  if (parent.trustId !== null)
    throw forbidden(
      'You are not authorized to perform the requested action: Using trust-scoped token to create another token. Create a new trust-scoped token instead.',
    );
  if (parent.applicationCredentialId !== null)
    throw forbidden(
      'You are not authorized to perform the requested action: Using a delegated token to create another token is not allowed..',
    );
  const user = cloud.identity.users.get(parent.userId);
  if (user === undefined) throw notFound('Failed to validate token');
  return { user, parent };
}

/** The error for services that do not declare that they enforce access rules. */
export function refuseAccessRules(cloud: IdentityCloud, token: Token): void {
  if (accessRulesOf(cloud, token) !== null) throw notFound('Failed to validate token');
}

/** The project of a request without a scope: the default project, when the user has a role on it. */
function defaultProject(cloud: IdentityCloud, { parent, user }: Proof): string | null {
  if (parent?.federation) return null;
  const project = cloud.identity.projects.get(user.defaultProjectId ?? '');
  if (!isActive(cloud.identity, project) || rolesOn(cloud.identity, project.id, user.id).length === 0)
    return null;
  return project.id;
}

function scopedProject(cloud: IdentityCloud, scope: JsonObject, { parent, user }: Proof): string {
  const project = findProject(cloud, objectAt(scope, 'project'));
  const groups = parent?.federation ?? undefined;
  if (!isActive(cloud.identity, project) || rolesOn(cloud.identity, project.id, user.id, groups).length === 0)
    throw unauthenticated();
  return project.id;
}

function findProject(cloud: IdentityCloud, input: JsonObject): Project | undefined {
  const { projects } = cloud.identity;
  const id = stringAt(input, 'id');
  if (id !== undefined) return projects.get(id);
  const domainId = domainOf(cloud, input);
  for (const project of projects.values())
    if (isSameName(project.name, stringAt(input, 'name') ?? '') && project.domainId === domainId)
      return project;
  return undefined;
}

/**
 * The credential has a project and roles of its own, so the request has no scope. The service applies the
 * rules of its user to it too, after the secret.
 */
function byApplicationCredential(cloud: IdentityCloud, identity: JsonObject): Token | Receipt {
  const input = objectAt(identity, 'application_credential');
  const askedId = stringAt(input, 'id') ?? '';
  const credential = cloud.identity.applicationCredentials.get(askedId);
  // The service reads the credential before it compares anything.
  if (credential === undefined) throw notFound(`Could not find Application Credential: ${askedId}.`);
  if (credential.secret !== stringAt(input, 'secret')) throw unauthenticated();
  const { expiresAt, id, userId, projectId } = credential;
  if (expiresAt !== null && Date.parse(expiresAt) <= cloud.clock.now()) throw unauthenticated();
  const methods = ['application_credential'];
  const user = cloud.identity.users.get(userId);
  if (user !== undefined && !meetsRules(user, methods)) return issueReceipt(cloud, user, methods);
  const token = issueToken(cloud, { userId, projectId, methods, applicationCredentialId: id });
  if (effectiveRoles(cloud, token) === undefined) throw unauthenticated();
  return token;
}

function byTrust(
  cloud: IdentityCloud,
  trustId: string,
  trustee: User,
  grant: { methods: string[]; parent?: Token },
): Token {
  const trust = cloud.identity.trusts.get(trustId);
  if (trust === undefined || isExpired(cloud, trust)) throw unauthenticated();
  if (trust.trusteeId !== trustee.id || trustedRoles(cloud, trust).length === 0)
    throw forbidden('You are not authorized to perform the requested action.');
  const userId = trust.impersonation ? trust.trustorId : trustee.id;
  return issueToken(cloud, { ...grant, userId, projectId: trust.projectId, trustId });
}
