import { rightsOf } from '@gateway/context';
import { forbidden, type GatewayError, invalidInput, toGatewayError } from '@gateway/core';
import type { CallContext } from '@gateway/openstack';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ObjectSchema } from 'joi';
import { changeExpiredPassword } from '../auth/change-expired-password.ts';
import { logIn } from '../auth/log-in.ts';
import { logOut } from '../auth/log-out.ts';
import type { AppContext } from '../context.ts';
import { attemptedNameIn } from '../http/limits/rate-limits.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { validateInput } from '../http/request/validate.ts';
import { addCaller, addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { reportWhenEnded } from '../pipeline/report-end.ts';
import { type NewSession, startSession } from '../pipeline/start-session.ts';
import { forgetOldPassword } from '../resources/invalidate-users.ts';
import { expiredPasswordBody, loginBody } from '../routes/auth/schemas.ts';
import { clearCookie, setCookie } from './cookie.ts';
import { operatorOf } from './operator.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { expiredPasswordPage, logInPage, passcodePage, type SiteOfPage } from './pages.ts';
import { redirectTo, sendHtml } from './send-html.ts';

const FORM_LIMIT_BYTES = 16_384;
const LOG_IN_PATH = '/ops/login';
const LOG_OUT_PATH = '/ops/logout';
const EXPIRED_PASSWORD_PATH = '/ops/expired-password';
export const SESSION_CHANGE = { access: 'token', method: 'POST', writes: 'session' } as const;

export const readForm: RequestHandler = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES });

export function showLogIn(app: AppContext): RequestHandler {
  return (_request, response) => {
    sendHtml(app, response, logInPage(siteOf(app.config)));
  };
}

/** Logs an administrator in, within the limits of all log-ins. Shows the form again after a refusal. */
export function postLogIn(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: LOG_IN_PATH });
    reportWhenEnded(app, { ...SESSION_CHANGE, path: LOG_IN_PATH }, response);
    try {
      setCookie(app, request, response, await logInOperator(app, sessions, request, response));
      redirectTo(app, response, '/ops');
    } catch (thrown) {
      showRefusal(app, request, response, thrown, pageAfter);
    }
  };
}

/** Changes an expired password, within the limits of all log-ins. */
export function postExpiredPassword(app: AppContext): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: EXPIRED_PASSWORD_PATH });
    reportWhenEnded(app, { ...SESSION_CHANGE, path: EXPIRED_PASSWORD_PATH }, response);
    try {
      await consumeLogInLimits(app, request, response);
      const { repeated_password, ...form } = (request.body ?? {}) as Record<string, unknown>;
      const body = parseForm(expiredPasswordBody, form, 'Please fill in the form.');
      if (body.new_password !== repeated_password) throw invalidInput('The new passwords differ.');
      request.body = body;
      await consumeFailureLimits(app, request, response);
      const userId = await changeExpiredPassword(app.openstack, body, callOf(request, response));
      addCaller(response, { userId, userName: body.username });
      await forgetOldPassword({ app, logger: app.logger }, userId);
      const notice = 'The password has been changed. Please log in with the new one.';
      sendHtml(app, response, logInPage({ ...siteOf(app.config), notice, typed: typedIn(body) }));
    } catch (thrown) {
      showRefusal(app, request, response, thrown, ({ message: problem }, form, { site }) =>
        expiredPasswordPage({ site, problem, typed: typedIn(form) }),
      );
    }
  };
}

type PageAfter = (error: GatewayError, form: unknown, site: SiteOfPage) => string;

/** Shows a form again. @throws errors that are not about the request */
export function showRefusal(
  app: AppContext,
  request: Request,
  response: Response,
  thrown: unknown,
  pageOf: PageAfter,
): void {
  const error = toGatewayError(thrown);
  const { code, retryAfterSeconds, status } = error;
  if (status >= 500) throw thrown;
  addLocals(response, { errorCode: code });
  const fields = { request_id: requestIdOf(response), status, address: clientAddress(request) };
  app.logger.info("Log-in to the operators' page refused", fields);
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  response.status(status);
  sendHtml(app, response, pageOf(error, request.body, siteOf(app.config)));
}

/** Refusals of a second step after which the receipt is still valid. */
const RECEIPT_STAYS_VALID = ['wrong_passcode', 'invalid_input', 'rate_limited'];

/** The page with which a log-in continues. */
export const pageAfter: PageAfter = ({ code, message: problem, unfinishedLogIn }, form, shared) => {
  const { site } = shared;
  if (unfinishedLogIn !== undefined) return passcodePage({ site, receipt: unfinishedLogIn.receipt });
  const { receipt } = (form ?? {}) as { receipt?: unknown };
  if (typeof receipt === 'string' && RECEIPT_STAYS_VALID.includes(code)) {
    return passcodePage({ site, problem, receipt });
  }
  if (code === 'password_expired') return expiredPasswordPage({ site, typed: typedIn(form) });
  return logInPage({ ...shared, problem, typed: typedIn(form) });
};

/** What each log-in page shows. */
function siteOf({ site, sso }: AppContext['config']): SiteOfPage {
  return { site: site.name, providers: sso.providers };
}

/** @returns the id of the session */
async function logInOperator(
  app: AppContext,
  sessions: OperatorSessions,
  request: Request,
  response: Response,
): Promise<string> {
  await consumeLogInLimits(app, request, response);
  const isSecondStep = (request.body as { receipt?: unknown } | undefined)?.receipt !== undefined;
  const body = parseForm(
    loginBody,
    request.body,
    isSecondStep
      ? 'Please enter the six digits of the passcode.'
      : 'Please enter a user name and a password.',
  );
  request.body = body;
  await consumeFailureLimits(app, request, response);
  const askedAt = app.clock.now();
  const loggedIn = await logIn(app, body, callOf(request, response));
  return admitOperator(app, sessions, request, response, { askedAt, ...loggedIn });
}

/** Starts a session of the page. @returns its id @throws 403 for a user who is not an administrator */
export async function admitOperator(
  app: AppContext,
  sessions: OperatorSessions,
  request: Request,
  response: Response,
  loggedIn: Omit<NewSession, 'address' | 'client'>,
): Promise<string> {
  const { identity } = loggedIn;
  const { projectId, token } = identity;
  addCaller(response, identity);
  if (!rightsOf(identity, app.config.identity).includes('administer')) {
    await app.openstack.identity.revoke(token, callOf(request, response));
    throw forbidden('This page is for administrators. You do not have their role in this project.');
  }
  const client = request.get('user-agent');
  await startSession(app, { ...loggedIn, address: clientAddress(request), client });
  return sessions.start({ token, projectId }, identity.expiresAt);
}

export function callOf(request: Request, response: Response): CallContext {
  return { requestId: requestIdOf(response), clientAddress: clientAddress(request) };
}

/** The limits of all log-ins that count by address. */
export async function consumeLogInLimits(
  app: AppContext,
  request: Request,
  response: Response,
): Promise<void> {
  for (const limit of ['login', 'loginFailuresByAddress'] as const)
    await app.rateLimits.consume(limit, request, response, null);
}

/** Also adds the hash of the name in the body, by which failures count, to the audit record. */
async function consumeFailureLimits(app: AppContext, request: Request, response: Response): Promise<void> {
  addLocals(response, { nameHash: await attemptedNameIn(request.body, app) });
  for (const limit of ['loginFailures', 'loginFailuresByName', 'passcodeFailures'] as const)
    await app.rateLimits.consume(limit, request, response, null);
}

/** What the form shows again, so that only the password has to be typed once more. */
function typedIn(form: unknown) {
  const { project_domain, project_name, user_domain, username } = (form ?? {}) as Record<string, unknown>;
  const texts = Object.entries({ project_domain, project_name, user_domain, username }).filter(
    ([, value]) => typeof value === 'string' && value.length <= 255,
  );
  return Object.fromEntries(texts) as Record<string, string>;
}

/** A form sends fields that were left empty as ''. */
function parseForm<Body>(schema: ObjectSchema<Body>, form: unknown, problem: string): Body {
  const filled = Object.entries((form ?? {}) as object).filter(([, value]) => value !== '');
  try {
    return validateInput({ body: schema }, { body: Object.fromEntries(filled) }).body as Body;
  } catch (cause) {
    throw invalidInput(problem, { cause });
  }
}

/** Ends the session and revokes its token. */
export function postLogOut(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: LOG_OUT_PATH });
    reportWhenEnded(app, { ...SESSION_CHANGE, path: LOG_OUT_PATH }, response);
    const { caller, credentials, sessionId } = operatorOf(request);
    const { logger } = app;
    const { token = '' } = credentials;
    await logOut(app, { caller, token, call: callOf(request, response), logger });
    await sessions.end(sessionId);
    clearCookie(app, request, response);
    redirectTo(app, response, LOG_IN_PATH);
  };
}
