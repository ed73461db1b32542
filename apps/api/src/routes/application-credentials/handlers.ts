import { forbidden, invalidInput, notFound } from '@gateway/core';
import { type Identity, refuseUselessCredential, UpstreamError } from '@gateway/openstack';
import {
  type ApplicationCredential,
  addNames,
  ownProjectName,
  presentApplicationCredential,
  presentNewApplicationCredential,
} from '@gateway/resources';
import { endSession } from '../../auth/log-out.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { invalidateUsers } from '../../resources/invalidate-users.ts';
import type { CredentialBody } from './schemas.ts';

export async function listCredentials(request: RequestContext): Promise<ApplicationCredential[]> {
  const { caller, openstack } = request;
  const { applicationCredentials } = openstack.identity;
  const rows = (await applicationCredentials.list(caller.identity.userId)).map(presentApplicationCredential);
  return addNames(sourcesOf(request), rows, { project_id: ownProjectName });
}

/** In the caller's project. Never unrestricted: a program that needs others can be given them by its user. */
export async function createCredential(request: RequestContext<unknown, unknown, CredentialBody>) {
  const { app, body, call, caller, openstack } = request;
  const { identity } = caller;
  if (identity.projectId === '')
    throw invalidInput('An application credential is for one project. Please choose a project first.');
  // Always named: Keystone's default under load has roles that the user does not have, which it refuses.
  const { roles = identity.roles, ...rest } = body;
  try {
    const created = await openstack.identity.applicationCredentials.create(identity.userId, {
      ...rest,
      roles: roles.map((name) => ({ name })),
    });
    await refuseUselessCredential(app.openstack, identity, created, call);
    return { ...presentNewApplicationCredential(created), project_name: identity.projectName };
  } catch (error) {
    throw explained(error, identity);
  }
}

/** Also ends the sessions that began with it: the identity service revokes their tokens. */
export async function deleteCredential(request: RequestContext<{ credential_id: string }>): Promise<void> {
  const { app, call, caller, logger, openstack, params } = request;
  const { identity } = caller;
  const { userId } = identity;
  const { credential_id: id } = params;
  const { applicationCredentials } = openstack.identity;
  // The service answers 403 for a credential of another user.
  const own = await applicationCredentials.list(userId);
  if (!own.some((credential) => credential.id === id))
    throw notFound('You have no such application credential.');
  try {
    await applicationCredentials.remove(userId, id);
  } catch (error) {
    throw explained(error, identity);
  }
  await invalidateUsers(request, [userId]);
  try {
    const listed = await app.sessionList.of(userId);
    const ended = listed.filter(({ credentialId }) => credentialId === id);
    await Promise.all(ended.map((session) => endSession(app, { sessionId: session.id, userId, call })));
  } catch (error) {
    logger.warn('Failed to end the sessions of a deleted application credential', { error });
  }
}

/** Why the identity service refuses: a token of a program, or roles that are not assigned to the user. */
function explained(error: unknown, { origin }: Identity): unknown {
  if (origin === undefined || !(error instanceof UpstreamError)) return error;
  if (![400, 403].includes(error.upstreamStatus ?? 0)) return error;
  return forbidden(REFUSALS[origin], { cause: error, upstream: error.upstream });
}

const REFUSALS: Record<NonNullable<Identity['origin']>, string> = {
  application_credential:
    'An application credential may not manage others of its user. Please use the token of a log-in with a password.',
  trust: 'A trust may not manage application credentials. Please use the token of a log-in.',
  single_sign_on:
    'Your roles come from single sign-on, and a credential can have only roles that are assigned to you. ' +
    'Please ask an administrator to assign you a role in the project.',
};
