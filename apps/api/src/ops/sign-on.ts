import { createHash, randomBytes } from 'node:crypto';
import { trimEndChars } from '@gateway/core';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, RequestHandler } from 'express';
import { hostCookie } from '../auth/host-cookie.ts';
import { ATTEMPT_SECONDS, beginSignOn, completeSignOn } from '../auth/sign-on.ts';
import { signOnCookie } from '../auth/sign-on-cookie.ts';
import type { AppContext } from '../context.ts';
import { addLocals } from '../http/response/gateway-response.ts';
import { reportWhenEnded } from '../pipeline/report-end.ts';
import { setCookie } from './cookie.ts';
import {
  admitOperator,
  callOf,
  consumeLogInLimits,
  pageAfter,
  SESSION_CHANGE,
  showRefusal,
} from './log-in.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { signOnPage } from './pages.ts';
import { redirectTo, sendHtml } from './send-html.ts';

const PATH = '/ops/sso';
/** The verifier of the sign-on that this browser has begun. */
const VERIFIER = 'gateway_ops_sign_on';
const VERIFIER_BYTES = 32;

/** Sends an operator to the identity service. */
export function beginOperatorSignOn(app: AppContext): RequestHandler<{ provider: string }> {
  return (request, response) => {
    const verifier = randomBytes(VERIFIER_BYTES).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const returnTo = `${publicUrl(app)}${PATH}`;
    const { attempt, location } = beginSignOn(app, request.params.provider, { returnTo, challenge });
    const { name, options } = verifierCookie(app);
    response.cookie(name, verifier, { ...options, maxAge: ATTEMPT_SECONDS * 1000 });
    response.append('Set-Cookie', signOnCookie(app.config, attempt));
    response.redirect(303, location);
  };
}

/** The page to which the operator returns. */
export function showOperatorSignOn(app: AppContext): RequestHandler {
  return (_request, response) => {
    sendHtml(app, response, signOnPage({ site: app.config.site.name }));
  };
}

/** Logs an operator in with the code that the page has received. Shows the log-in after a refusal. */
export function postOperatorSignOn(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: PATH });
    reportWhenEnded(app, { ...SESSION_CHANGE, path: PATH }, response);
    try {
      await consumeLogInLimits(app, request, response);
      const { code } = (request.body ?? {}) as { code?: unknown };
      // The page sends no request to another origin, and no other page may send one here.
      const origin = new URL(publicUrl(app)).origin;
      const returned = { code: String(code ?? ''), verifier: verifierOf(app, request), origin };
      const signedOn = await completeSignOn(app, returned, callOf(request, response));
      const sessionId = await admitOperator(app, sessions, request, response, signedOn);
      const { name, options } = verifierCookie(app);
      response.clearCookie(name, options);
      setCookie(app, request, response, sessionId);
      redirectTo(app, response, '/ops');
    } catch (thrown) {
      showRefusal(app, request, response, thrown, pageAfter);
    }
  };
}

function verifierOf(app: AppContext, { headers }: Request): string {
  return parseCookie(headers.cookie ?? '')[verifierCookie(app).name] ?? '';
}

/** The page itself sends the cookie, after the browser has returned. */
function verifierCookie({ config }: AppContext): { name: string; options: CookieOptions } {
  const { name, ...attributes } = hostCookie(VERIFIER, PATH, { publicUrl: config.publicEndpoint.url });
  return { name, options: { ...attributes, sameSite: 'strict' } };
}

/** A site that offers a single sign-on has one. */
function publicUrl({ config }: AppContext): string {
  return trimEndChars(config.publicEndpoint.url ?? '', '/');
}
