import { newHexId } from '../common/ids.ts';
import { envelope, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { created, noContent, type Operation, operation, type Reply } from '../http/operation.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, denied, find } from './policy.ts';
import { presentCredential } from './present.ts';
import type { Credential } from './state.ts';

/** Users have access to their own credentials, administrators to all. */
function requireOwner({ caller }: IdentityCall, userId: string | undefined, action: string): void {
  if (userId !== caller.userId && !caller.isAdmin) throw denied(action);
}

function list(call: IdentityCall): Reply {
  const userId = call.query.get('user_id');
  const type = call.query.get('type');
  const found = [...call.cloud.identity.credentials.values()].filter(
    (credential) =>
      (userId === null || credential.userId === userId) &&
      (type === null || credential.type === type) &&
      (call.caller.isAdmin || credential.userId === call.caller.userId),
  );
  return collection(
    call,
    'credentials',
    found.map((credential) => presentCredential(credential, call.base)),
  );
}

function create(call: IdentityCall): Reply {
  const input = envelope(call.body, 'credential', () => badRequest("'credential' is a required property"));
  const type = stringAt(input, 'type');
  const blob = stringAt(input, 'blob');
  if (blob === undefined) throw badRequest("'blob' is a required property");
  if (type === undefined) throw badRequest("'type' is a required property");
  const userId = stringAt(input, 'user_id') ?? call.caller.userId;
  requireOwner(call, userId, 'create_credential');
  const projectId = stringAt(input, 'project_id') ?? null;
  const credential: Credential = { id: newHexId(), userId, projectId, type, blob };
  call.cloud.identity.credentials.set(credential.id, credential);
  return created({ credential: presentCredential(credential, call.base) });
}

function remove(call: IdentityCall): Reply {
  const { credentials } = call.cloud.identity;
  const { id, userId } = find(credentials, call.params.id, 'credential');
  requireOwner(call, userId, 'delete_credential');
  credentials.delete(id);
  return noContent();
}

export const credentialOperations: Operation<IdentityCloud>[] = [
  operation('credentials.list', 'GET /credentials', list),
  operation('credentials.create', 'POST /credentials', create),
  operation('credentials.delete', 'DELETE /credentials/:id', remove),
];
