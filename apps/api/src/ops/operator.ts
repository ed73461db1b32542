import { requireRight } from '@gateway/context';
import { GatewayError } from '@gateway/core';
import type { Request, RequestHandler, Response } from 'express';
import type { Credentials } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';
import { addressOf } from '../http/limits/rate-limits.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { addCaller, requestIdOf } from '../http/response/gateway-response.ts';
import { clearCookie, readCookie } from './cookie.ts';
import type { OperatorSessions } from './operator-sessions.ts';
import { redirectTo } from './send-html.ts';

/** An administrator who has logged in to the page. */
interface Operator {
  caller: Caller;
  credentials: Required<Credentials>;
  sessionId: string;
}

const operators = new WeakMap<Request, Operator>();

/** The operator of a request that `requireOperator` has let through. */
export function operatorOf(request: Request): Operator {
  const operator = operators.get(request);
  if (operator === undefined) throw new Error('The request has not been authenticated.');
  return operator;
}

/**
 * Lets administrators with a valid session through. Sends others to the log-in page, and scripts of the page
 * a 401.
 */
export function requireOperator(app: AppContext, sessions: OperatorSessions): RequestHandler {
  return async (request, response, next) => {
    const operator = await findOperator(app, sessions, request, response);
    if (operator !== null) {
      operators.set(request, operator);
      addCaller(response, operator.caller.identity);
      next();
      return;
    }
    clearCookie(app, request, response);
    if (request.method === 'GET' && request.accepts(['json', 'html']) === 'html')
      redirectTo(app, response, '/ops/login');
    else throw new GatewayError(401, 'unauthorized', 'Please log in again.');
  };
}

/** Null without a valid session. @throws errors that do not concern the session, such as 503 */
async function findOperator(
  app: AppContext,
  sessions: OperatorSessions,
  request: Request,
  response: Response,
): Promise<Operator | null> {
  const sessionId = readCookie(app, request);
  const credentials = await sessions.read(sessionId);
  if (credentials === null) return null;
  try {
    const caller = await app.authenticator.authenticate(credentials, {
      projectRequired: true,
      requestId: requestIdOf(response),
      address: () => addressOf(request.ip),
      clientAddress: clientAddress(request),
      client: request.get('user-agent'),
    });
    requireRight(caller, 'administer');
    return { caller, credentials, sessionId };
  } catch (error) {
    if (!(error instanceof GatewayError) || (error.status !== 401 && error.status !== 403)) throw error;
    await sessions.end(sessionId);
    return null;
  }
}
