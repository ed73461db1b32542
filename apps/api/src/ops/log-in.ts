import { forbidden, GatewayError, toGatewayError } from '@gateway/core';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { isAdministrator } from '../auth/caller.ts';
import { logIn } from '../auth/log-in.ts';
import { logOut } from '../auth/log-out.ts';
import type { AppContext } from '../context.ts';
import { attemptedNameIn } from '../http/limits/rate-limits.ts';
import { validateInput } from '../http/request/validate.ts';
import { addCaller, addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { recordChangeWhenDone } from '../pipeline/record-change.ts';
import { startSession } from '../pipeline/start-session.ts';
import { type LoginBody, loginBody } from '../routes/auth/schemas.ts';
import { clearCookie, setCookie } from './cookie.ts';
import { operatorOf } from './operator.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { logInPage } from './pages.ts';

const FORM_LIMIT_BYTES = 16_384;
const LOG_IN_PATH = '/ops/login';
const LOG_OUT_PATH = '/ops/logout';
const SESSION_CHANGE = { access: 'token', method: 'POST', changesSession: true } as const;

export const readForm: RequestHandler = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES });

export function showLogIn({ config }: AppContext): RequestHandler {
  return (_request, response) => {
    response.type('html').send(logInPage({ site: config.site.name }));
  };
}

/** Logs an administrator in, within the limits of all log-ins. Shows the form again after a refusal. */
export function postLogIn(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: LOG_IN_PATH });
    recordChangeWhenDone(app.audit, { ...SESSION_CHANGE, path: LOG_IN_PATH }, response);
    try {
      setCookie(app, request, response, await logInOperator(app, sessions, request, response));
      response.redirect(303, '/ops');
    } catch (thrown) {
      const { code, message, retryAfterSeconds, status } = toGatewayError(thrown);
      if (status >= 500) throw thrown;
      addLocals(response, { errorCode: code });
      const fields = { request_id: requestIdOf(response), status, address: request.ip };
      app.logger.info("Log-in to the operators' page refused", fields);
      if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
      response
        .status(status)
        .type('html')
        .send(logInPage({ site: app.config.site.name, problem: message, typed: typedIn(request.body) }));
    }
  };
}

/** @returns the id of the session */
async function logInOperator(
  app: AppContext,
  sessions: OperatorSessions,
  request: Request,
  response: Response,
): Promise<string> {
  await app.rateLimits.consume('login', request, response, null);
  const body = parseForm(request.body);
  request.body = body;
  addLocals(response, { nameHash: attemptedNameIn(body, app.logInReceipts) });
  await app.rateLimits.consume('loginFailures', request, response, null);
  await app.rateLimits.consume('loginFailuresByName', request, response, null);
  await app.rateLimits.consume('passcodeFailures', request, response, null);
  const call = { requestId: requestIdOf(response), clientAddress: request.ip };
  const askedAt = app.clock.now();
  const { identity, ...names } = await logIn(app, body, call);
  const { projectId, token } = identity;
  addCaller(response, identity);
  if (!isAdministrator(identity, app.config.identity)) {
    await app.openstack.identity.revoke(token, call);
    throw forbidden('This page is for administrators. You do not have their role in this project.');
  }
  await startSession(app, { identity, askedAt, ...names, address: request.ip ?? '' });
  return sessions.start({ token, projectId }, identity.expiresAt);
}

/** What the form shows again, so that only the password has to be typed once more. */
function typedIn(form: unknown) {
  const { domain_name, project_name, username } = (form ?? {}) as Record<string, unknown>;
  const texts = Object.entries({ domain_name, project_name, username }).filter(
    ([, value]) => typeof value === 'string' && value.length <= 255,
  );
  return Object.fromEntries(texts) as Record<string, string>;
}

/** A form sends fields that were left empty as ''. */
function parseForm(form: unknown): LoginBody {
  const filled = Object.entries((form ?? {}) as object).filter(([, value]) => value !== '');
  try {
    return validateInput({ body: loginBody }, { body: Object.fromEntries(filled) }).body as LoginBody;
  } catch (cause) {
    throw new GatewayError(400, 'invalid_input', 'Please enter a user name and a password.', { cause });
  }
}

/** Ends the session and revokes its token. */
export function postLogOut(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response) => {
    addLocals(response, { route: LOG_OUT_PATH });
    recordChangeWhenDone(app.audit, { ...SESSION_CHANGE, path: LOG_OUT_PATH }, response);
    const { caller, credentials, sessionId } = operatorOf(request);
    const { logger } = app;
    const { token = '' } = credentials;
    const call = { requestId: requestIdOf(response), clientAddress: request.ip };
    await logOut(app, { caller, token, call, logger });
    await sessions.end(sessionId);
    clearCookie(app, request, response);
    response.redirect(303, LOG_IN_PATH);
  };
}
