import { newHexId } from '../common/ids.ts';
import { arrayAt, booleanAt, envelope, isObject, stringAt } from '../common/json.ts';
import { badRequest, forbidden, notFound } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, denied, find } from './policy.ts';
import { presentRole, presentTrust } from './present.ts';
import { roleNamed, rolesOn } from './roles.ts';
import type { Trust } from './state.ts';
import { addTrust, findTrust } from './trusts.ts';

function createTrust(call: IdentityCall): Reply {
  const { identity } = call.cloud;
  const input = envelope(call.body, 'trust', () => badRequest("'trust' is a required property"));
  const trustorId = stringAt(input, 'trustor_user_id');
  if (trustorId !== call.caller.userId) throw denied('create_trust');
  const caller = identity.tokens.get(call.caller.tokenId);
  if (caller?.applicationCredentialId)
    throw forbidden(
      'You are not authorized to perform the requested action: Delegated tokens cannot manage trusts..',
    );
  if (caller?.trustId) throw forbidden('You are not authorized to perform the requested action.');
  if (caller?.applicationCredentialId)
    throw forbidden(
      'You are not authorized to perform the requested action: Delegated tokens cannot manage trusts..',
    );
  const projectId = stringAt(input, 'project_id') ?? '';
  const expires = stringAt(input, 'expires_at');
  if (expires !== undefined && Date.parse(expires) <= call.cloud.clock.now())
    throw badRequest(
      "The 'expires_at' must not be before now. The server could not comply with the request since it is either malformed or otherwise incorrect. The client is assumed to be in error.",
    );
  if (arrayAt(input, 'roles').length === 0)
    throw forbidden(
      'You are not authorized to perform the requested action: At least one role should be specified.',
    );
  const held = rolesOn(identity, projectId, trustorId);
  const roleIds = arrayAt(input, 'roles').map((entry) => {
    const ref = isObject(entry) ? entry : {};
    const id =
      stringAt(ref, 'id') ?? roleNamed(identity, stringAt(ref, 'name') ?? '')?.id ?? stringAt(ref, 'name');
    if (!held.some((role) => role.id === id)) throw notFound(`Could not find role: ${id}.`);
    return id ?? '';
  });
  const trust: Trust = {
    id: newHexId(),
    trustorId,
    trusteeId: find(identity.users, stringAt(input, 'trustee_user_id'), 'user').id,
    projectId,
    impersonation: booleanAt(input, 'impersonation', false),
    roleIds,
    expiresMs: expires === undefined ? null : Date.parse(expires),
  };
  addTrust(call.cloud, trust, expires);
  return created({ trust: detailed(call, trust) });
}

function detailed(call: IdentityCall, trust: Trust): object {
  const roles = trust.roleIds.flatMap((id) => {
    const role = call.cloud.identity.roles.get(id);
    return role === undefined ? [] : [presentRole(role, call.base)];
  });
  return presentTrust(trust, roles, call.base);
}

function listTrusts(call: IdentityCall): Reply {
  const trustor = call.query.get('trustor_user_id');
  const trustee = call.query.get('trustee_user_id');
  const { userId, isAdmin } = call.caller;
  if (!isAdmin && trustor !== userId && trustee !== userId) throw denied('list_trusts');
  const trusts = [...call.cloud.identity.trusts.values()].filter(
    (trust) =>
      (trustor === null || trust.trustorId === trustor) && (trustee === null || trust.trusteeId === trustee),
  );
  return collection(
    call,
    'trusts',
    trusts.map((trust) => presentTrust(trust, undefined, call.base)),
  );
}

function partyTo(call: IdentityCall, action: string): Trust {
  const trust = findTrust(call.cloud, call.params.id);
  const { userId, isAdmin } = call.caller;
  if (!isAdmin && trust.trustorId !== userId && (action === 'delete_trust' || trust.trusteeId !== userId))
    throw denied(action);
  return trust;
}

function getTrust(call: IdentityCall): Reply {
  return ok({ trust: detailed(call, partyTo(call, 'get_trust')) });
}

/** Deleting a trust revokes the tokens that were issued through it. */
function deleteTrust(call: IdentityCall): Reply {
  const { trusts, tokens } = call.cloud.identity;
  const trust = partyTo(call, 'delete_trust');
  trusts.delete(trust.id);
  for (const token of tokens.values()) if (token.trustId === trust.id) tokens.delete(token.id);
  return noContent();
}

export const trustOperations: Operation<IdentityCloud>[] = [
  operation('trusts.create', 'POST /OS-TRUST/trusts', createTrust),
  operation('trusts.list', 'GET /OS-TRUST/trusts', listTrusts),
  operation('trusts.get', 'GET /OS-TRUST/trusts/:id', getTrust),
  operation('trusts.delete', 'DELETE /OS-TRUST/trusts/:id', deleteTrust),
];
