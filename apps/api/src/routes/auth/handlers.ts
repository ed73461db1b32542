import { fingerprint, storeUnavailable } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import { presentCurrentUser, presentProject, presentToken } from '@gateway/views';
import { scopeTo } from '../../auth/authenticator.ts';
import { logIn } from '../../auth/log-in.ts';
import type { SessionInfo } from '../../auth/sessions.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { LoginBody, ScopeBody } from './schemas.ts';

export async function login({ app, body, requestId, logger }: RequestContext<unknown, unknown, LoginBody>) {
  const identity = await logIn(
    app.openstack,
    {
      username: body.username,
      password: body.password,
      domainName: body.domain_name,
      projectName: body.project_name,
    },
    { requestId },
  );
  try {
    await app.sessions.begin(fingerprint(identity.token), identity.expiresAt);
    await app.producer.enqueue({ type: 'session.prefill', payload: {}, credential: identity, requestId });
  } catch (error) {
    // Without the store there are no sessions and no caches, but people can still log in.
    logger.warn('A log-in goes without session and caches', { error });
  }
  return presentToken(identity);
}

export async function currentUser({ caller }: RequestContext) {
  return presentCurrentUser(caller.identity);
}

export async function projects({ openstack }: RequestContext) {
  return (await openstack.identity.projects.listMine()).map(presentProject);
}

export async function switchScope(request: RequestContext<unknown, unknown, ScopeBody>) {
  const { app, body, caller, callerToken, requestId } = request;
  const identity: Identity = await scopeTo(app.openstack, callerToken, body.project_id, requestId);
  if (caller.sessionId !== '') {
    await app.sessions.join(caller.sessionId, fingerprint(identity.token), identity.expiresAt);
  }
  return presentToken(identity);
}

export async function sessionInfo({ app, caller }: RequestContext): Promise<SessionInfo> {
  const sessionId = requireSession(caller.sessionId);
  const session = app.sessions.check(await app.sessions.read(sessionId));
  return app.sessions.info(session, caller.identity.expiresAt);
}

export async function extendSession({ app, caller }: RequestContext): Promise<SessionInfo> {
  const session = await app.sessions.extend(requireSession(caller.sessionId));
  return app.sessions.info(session, caller.identity.expiresAt);
}

/** The caller was let in on the identity service's word alone when the store is away. */
function requireSession(sessionId: string): string {
  if (sessionId !== '') return sessionId;
  throw storeUnavailable('Sessions are not available right now.', { retryAfterSeconds: 5 });
}
