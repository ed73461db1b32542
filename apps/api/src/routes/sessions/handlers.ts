import { forbidden, notFound, toTimestamp } from '@gateway/core';
import { type Caller, requireSession } from '../../auth/caller.ts';
import { endSession, logOut } from '../../auth/log-out.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { SessionParams } from './schemas.ts';
import type { OwnSession } from './shapes.ts';

export async function listSessions({ app, caller }: RequestContext): Promise<OwnSession[]> {
  const { clock, sessionList, sessions } = app;
  const current = requireOwnSession(caller);
  const listed = await sessionList.of(caller.identity.userId);
  const records = await Promise.all(listed.map(({ id }) => sessions.read(id)));
  const active = listed.flatMap(({ id, startedAt, seenAt, until, credentialId, address, client }, index) => {
    const session = sessions.parse(records[index] ?? null);
    if (session === null || !sessions.isActive(session) || until <= clock.now()) return [];
    return {
      id,
      started_at: toTimestamp(startedAt) ?? '',
      last_seen_at: toTimestamp(seenAt) ?? '',
      expires_at: sessions.info(session, new Date(until).toISOString()).expires_at,
      address,
      client,
      application_credential_id: credentialId,
      is_current: id === current,
    };
  });
  return active.sort((a, b) => b.last_seen_at.localeCompare(a.last_seen_at));
}

export async function endOwnSession(request: RequestContext<SessionParams>): Promise<void> {
  const { app, call, caller, callerToken, logger, params } = request;
  const { session_id: sessionId } = params;
  const { userId } = caller.identity;
  const current = requireOwnSession(caller);
  if (!(await app.sessionList.has(userId, sessionId))) throw notFound('You have no such session.');
  if (sessionId !== current) return endSession(app, { sessionId, userId, call });
  await logOut(app, { caller, token: callerToken, call, logger });
  if (request.hasSessionCookie) request.setSessionCookie(null);
}

/** @throws the first error, after the end of all sessions that can be ended */
export async function endOtherSessions({ app, call, caller }: RequestContext): Promise<void> {
  const { userId } = caller.identity;
  const current = requireOwnSession(caller);
  const others = (await app.sessionList.of(userId)).filter(({ id }) => id !== current);
  const results = await Promise.allSettled(
    others.map(({ id }) => endSession(app, { sessionId: id, userId, call })),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** The id of the caller's session. @throws 403 for programs, which act for their user but are not the user */
function requireOwnSession(caller: Caller): string {
  const { origin } = caller.identity;
  if (origin === 'application_credential' || origin === 'trust') {
    throw forbidden('This requires the token of a log-in, not that of an application credential or a trust.');
  }
  return requireSession(caller);
}
