import { envelope } from '../common/json.ts';
import { badRequest, forbidden } from '../common/service-error.ts';
import { created, noContent, type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { createApplicationCredential } from './application-credentials.ts';
import type { IdentityCall, IdentityCloud } from './cloud.ts';
import { collection, denied, find } from './policy.ts';
import { presentApplicationCredential } from './present.ts';
import type { ApplicationCredential } from './state.ts';

/** A delegation of the user must not manage the user's credentials, whatever the policy allows. */
export function refuseDelegations(call: IdentityCall): void {
  if (call.cloud.identity.tokens.get(call.caller.tokenId)?.trustId)
    throw forbidden('You are not authorized to perform the requested action.');
}

/** Only an unrestricted application credential may manage others. */
function refuseRestricted({ caller, cloud }: IdentityCall): void {
  const { applicationCredentials, tokens } = cloud.identity;
  const credential = applicationCredentials.get(tokens.get(caller.tokenId)?.applicationCredentialId ?? '');
  if (credential !== undefined && !credential.unrestricted)
    throw forbidden(
      "You are not authorized to perform the requested action: Using method 'application_credential' is not allowed for managing additional application credentials..",
    );
}

function requireUserOrAdmin(call: IdentityCall, action: string): void {
  refuseDelegations(call);
  if (call.params.user !== call.caller.userId && !call.caller.isAdmin) throw denied(action);
}

function create(call: IdentityCall): Reply {
  refuseDelegations(call);
  refuseRestricted(call);
  const { userId, projectId } = call.caller;
  if (call.params.user !== userId) throw denied('create_application_credential');
  const input = envelope(call.body, 'application_credential', () =>
    badRequest("'application_credential' is a required property"),
  );
  const credential = createApplicationCredential(call.cloud, { userId, projectId }, input);
  const body = presentApplicationCredential(call.cloud, credential, call.base);
  return created({ application_credential: { ...body, secret: credential.secret } });
}

function list(call: IdentityCall): Reply {
  requireUserOrAdmin(call, 'list_application_credentials');
  const name = call.query.get('name');
  const own = [...call.cloud.identity.applicationCredentials.values()].filter(
    (credential) => credential.userId === call.params.user && (name === null || credential.name === name),
  );
  return collection(
    call,
    'application_credentials',
    own.map((credential) => presentApplicationCredential(call.cloud, credential, call.base)),
  );
}

function target(call: IdentityCall): ApplicationCredential {
  return find(call.cloud.identity.applicationCredentials, call.params.id, 'Application Credential');
}

function get(call: IdentityCall): Reply {
  const found = requireOwnerOrAdmin(call, 'get_application_credential');
  const credential = presentApplicationCredential(call.cloud, found, call.base);
  return ok({ application_credential: credential });
}

/** The service compares the caller with the owner of the credential, not with the user in the path. */
function requireOwnerOrAdmin(call: IdentityCall, action: string): ApplicationCredential {
  refuseDelegations(call);
  const credential = target(call);
  if (credential.userId !== call.caller.userId && !call.caller.isAdmin) throw denied(action);
  return credential;
}

/** Tokens that were issued for the credential are no longer valid. */
function remove(call: IdentityCall): Reply {
  const { applicationCredentials, tokens } = call.cloud.identity;
  const { id } = requireOwnerOrAdmin(call, 'delete_application_credential');
  refuseRestricted(call);
  applicationCredentials.delete(id);
  for (const token of tokens.values()) if (token.applicationCredentialId === id) tokens.delete(token.id);
  return noContent();
}

const LIST = '/users/:user/application_credentials';

export const applicationCredentialOperations: Operation<IdentityCloud>[] = [
  operation('application_credentials.create', `POST ${LIST}`, create),
  operation('application_credentials.list', `GET ${LIST}`, list),
  operation('application_credentials.get', `GET ${LIST}/:id`, get),
  operation('application_credentials.delete', `DELETE ${LIST}/:id`, remove),
];
