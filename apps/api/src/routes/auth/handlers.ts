import { rightsOf } from '@gateway/context';
import { invalidInput } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import { presentProject, readDomainNames } from '@gateway/resources';
import { noAccess } from '../../auth/authenticator.ts';
import { requireSession } from '../../auth/caller.ts';
import { changeExpiredPassword, type ExpiredPassword } from '../../auth/change-expired-password.ts';
import { logIn } from '../../auth/log-in.ts';
import { logOut } from '../../auth/log-out.ts';
import { isLoginRefusal } from '../../auth/refusals.ts';
import type { SessionInfo } from '../../auth/session-info-shape.ts';
import type { AppContext } from '../../context.ts';
import type { SessionCookies } from '../../http/request/session-cookies.ts';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { type NewSession, startSession } from '../../pipeline/start-session.ts';
import { forgetOldPassword } from '../../resources/invalidate-users.ts';
import type { CookieChoice, LoginBody, ScopeBody } from './schemas.ts';
import { presentCurrentUser, presentToken } from './user-in-project.ts';

export async function login(request: RequestContext<unknown, unknown, LoginBody>) {
  const { app, body, call } = request;
  return answerLogIn(request, async () => {
    const askedAt = app.clock.now();
    return { askedAt, ...(await logIn(app, body, call)) };
  });
}

/** Runs a log-in, and starts the session of its user, in a cookie if the client asks for it. */
export async function answerLogIn(
  request: RequestContext<unknown, unknown, CookieChoice>,
  logUserIn: () => Promise<Omit<NewSession, 'address' | 'client'>>,
) {
  const { address, app, body, logger, requestId } = request;
  const { use_cookie: usesCookie = false } = body;
  if (usesCookie) requireCookies(app).requireNoOtherPage(request.request);
  const loggedIn = await logUserIn();
  const { identity } = loggedIn;
  request.identified(identity);
  try {
    await startSession(app, { ...loggedIn, address, client: request.header('user-agent') });
    await app.producer.enqueue({ type: 'session.prefill', payload: {}, credential: identity, requestId });
  } catch (error) {
    // Without the store there are no sessions and no caches, but users can still log in.
    logger.warn('Failed to store the session of a log-in; it continues without session and caches', {
      error,
    });
  }
  return toTokenResponse(request, identity, usesCookie);
}

export async function changePassword(request: RequestContext<unknown, unknown, ExpiredPassword>) {
  const { app, body, call } = request;
  const userId = await changeExpiredPassword(app.openstack, body, call);
  request.identified({ userId, userName: body.username });
  await forgetOldPassword(request, userId);
  return { message: 'The password has been changed.' };
}

export async function logout(request: RequestContext): Promise<void> {
  const { app, call, caller, callerToken, logger } = request;
  await logOut(app, { caller, token: callerToken, call, logger });
  if (request.hasSessionCookie) request.setSessionCookie(null);
}

export async function currentUser({ caller }: RequestContext) {
  return presentCurrentUser(caller.identity, caller.can);
}

export async function projects(request: RequestContext) {
  const records = await request.openstack.identity.projects.listMine();
  const domainIds = records.map(({ domain_id }) => domain_id);
  const names = await readDomainNames(sourcesOf(request), request.caller.identity, domainIds);
  return records.map((record) => presentProject(record, names));
}

export async function switchScope(request: RequestContext<unknown, unknown, ScopeBody>) {
  const { app, body, call, caller, callerToken } = request;
  const askedAt = app.clock.now();
  const identity = await rescope();
  if (caller.sessionId !== '') await joinSession(caller.sessionId);
  return toTokenResponse(request, identity, request.hasSessionCookie);

  /** A log-out ends the session before it reads the tokens: it finds this token, or this finds the end. */
  async function joinSession(sessionId: string): Promise<void> {
    try {
      await app.issuedTokens.add(sessionId, identity);
      await app.authenticator.register(identity, askedAt, { sessionId });
      app.sessions.check(await app.sessions.read(sessionId));
    } catch (thrown) {
      await revokeUnused(request, identity);
      throw thrown;
    }
  }

  async function rescope(): Promise<Identity> {
    try {
      return await app.openstack.identity.rescope(callerToken, body.project_id, call);
    } catch (error) {
      throw isLoginRefusal(error) ? noAccess(error) : error;
    }
  }
}

/**
 * In a cookie, the token is not for scripts of the page, so the response has an empty text in its place.
 * @throws `conflict` for a token that is too long for a cookie, and is revoked
 */
async function toTokenResponse(
  request: Pick<RequestContext, 'app' | 'call' | 'logger' | 'setSessionCookie'>,
  identity: Identity,
  usesCookie: boolean,
) {
  const presented = presentToken(
    identity,
    rightsOf(identity, request.app.config.identity).includes('administer'),
  );
  if (!usesCookie) return presented;
  try {
    request.setSessionCookie(identity);
  } catch (thrown) {
    await revokeUnused(request, identity);
    throw thrown;
  }
  return { ...presented, token: '' };
}

/** Revokes a token that nobody gets. Never throws. */
async function revokeUnused(
  { app, call, logger }: Pick<RequestContext, 'app' | 'call' | 'logger'>,
  { token }: Identity,
): Promise<void> {
  await app.openstack.identity
    .revoke(token, call)
    .catch((error: unknown) =>
      logger.warn('Failed to revoke a token that was not handed out; it ends by itself', { error }),
    );
}

/** Before the log-in, so that no token is issued and no code is used in vain. */
function requireCookies({ sessionCookies }: AppContext): SessionCookies {
  if (sessionCookies !== null) return sessionCookies;
  throw invalidInput('Sessions in cookies are not enabled here (session.cookies).', {
    errors: [{ field: 'body.use_cookie', message: 'is not enabled here' }],
  });
}

export async function sessionInfo({ app, caller }: RequestContext): Promise<SessionInfo> {
  const sessionId = requireSession(caller);
  const session = app.sessions.check(await app.sessions.read(sessionId));
  return app.sessions.info(session, caller.identity.expiresAt);
}

export async function extendSession({ app, caller }: RequestContext): Promise<SessionInfo> {
  const session = await app.sessions.extend(requireSession(caller));
  return app.sessions.info(session, caller.identity.expiresAt);
}
