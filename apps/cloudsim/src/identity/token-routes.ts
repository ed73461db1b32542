import { noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { catalog } from './catalog.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, denied } from './policy.ts';
import { presentProject, presentReceipt, presentToken } from './present.ts';
import { rolesOn } from './roles.ts';
import { refuseAccessRules, signIn } from './sign-in.ts';
import type { Token } from './state.ts';
import { validToken } from './tokens.ts';

function createToken(call: IdentityCall): Reply {
  const token = signIn(call.cloud, call.body, call.header('openstack-auth-receipt'));
  if (!('auditIds' in token)) {
    const body = presentReceipt(call.cloud, token);
    return { status: 401, body, headers: { 'Openstack-Auth-Receipt': token.id } };
  }
  const body = presentToken(call.cloud, token, !call.query.has('nocatalog'));
  return { status: 201, body, headers: { 'X-Subject-Token': token.id } };
}

/** The token in `X-Subject-Token`: the caller's own token, or any token for an administrator. */
function subject(call: IdentityCall, action: string): Token {
  const id = call.header('x-subject-token');
  if (id === undefined) throw denied(action);
  const token = validToken(call.cloud, id);
  const enforcesRules = Number(call.header('openstack-identity-access-rules') ?? 0) >= 1;
  if (!enforcesRules) refuseAccessRules(call.cloud, token);
  if (id === call.caller.tokenId) return token;
  if (!call.caller.isAdmin && token.userId !== call.caller.userId) throw denied(action);
  return token;
}

function validateToken(call: IdentityCall): Reply {
  const token = subject(call, 'validate_token');
  const body = presentToken(call.cloud, token, !call.query.has('nocatalog'));
  return ok(body, { 'X-Subject-Token': token.id });
}

function checkToken(call: IdentityCall): Reply {
  return ok('', { 'X-Subject-Token': subject(call, 'check_token').id });
}

function revokeToken(call: IdentityCall): Reply {
  call.cloud.identity.tokens.delete(subject(call, 'revoke_token').id);
  return noContent();
}

function listMyProjects(call: IdentityCall): Reply {
  const { identity } = call.cloud;
  const { tokenId, userId } = call.caller;
  const groups = identity.tokens.get(tokenId)?.federation ?? undefined;
  const mine = [...identity.projects.values()].filter(
    (project) => project.enabled && rolesOn(identity, project.id, userId, groups).length > 0,
  );
  return collection(
    call,
    'projects',
    mine.map((project) => presentProject(project, call.base)),
  );
}

function getCatalog(call: IdentityCall): Reply {
  return ok({
    catalog: catalog(call.cloud, call.caller.projectId),
    links: { self: `${call.base}/auth/catalog` },
  });
}

export const tokenOperations: Operation<IdentityCloud>[] = [
  operation('tokens.validate', 'GET /auth/tokens', validateToken),
  operation('tokens.create', 'POST /auth/tokens', createToken, { isPublic: true }),
  operation('tokens.check', 'HEAD /auth/tokens', checkToken),
  operation('tokens.revoke', 'DELETE /auth/tokens', revokeToken),
  operation('tokens.list_projects', 'GET /auth/projects', listMyProjects),
  operation('tokens.catalog', 'GET /auth/catalog', getCatalog),
];
