import { requireRight } from '@gateway/context';
import { invalidInput } from '@gateway/core';
import type { Request, Response } from 'express';
import type { Credentials } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import { redeemStreamTicket, ticketSubject } from '../auth/stream-tickets.ts';
import type { AppContext } from '../context.ts';
import { addressOf } from '../http/limits/rate-limits.ts';
import { credentialsOf, hasToken } from '../http/request/credentials.ts';
import { addCaller, requestIdOf } from '../http/response/gateway-response.ts';
import { type AnyEndpoint, requiredRights } from './endpoint.ts';
import { reportWhenEnded } from './report-end.ts';
import { isWrite } from './writes.ts';

/** A request to an endpoint, with the query as it was sent. */
export interface ReceivedRequest {
  app: AppContext;
  endpoint: AnyEndpoint;
  request: Request;
  response: Response;
  query: Request['query'];
}

/** A request whose caller is known; null on a public endpoint. */
export interface AuthenticatedRequest extends ReceivedRequest {
  caller: Caller | null;
  credentials: Credentials;
}

/** Checks the caller and their session, access to the project, and the role. @throws 400, 401, 403, 429 */
export async function authenticate(received: ReceivedRequest): Promise<AuthenticatedRequest> {
  const { app, endpoint, query, request, response } = received;
  if (endpoint.access === 'public') {
    reportWhenEnded(app, endpoint, response);
    return { ...received, caller: null, credentials: { token: undefined, projectId: undefined } };
  }
  app.sessionCookies?.requireOwnPage(request);
  const credentials =
    endpoint.acceptsTicket === true && query.ticket !== undefined && !hasToken(request)
      ? await redeemStreamTicket(app, ticketSubject(request.params.job_id), query.ticket)
      : credentialsOf(request);
  const caller = await app.authenticator.authenticate(credentials, {
    projectRequired: endpoint.access !== 'token',
    requestId: requestIdOf(response),
    address: () => addressOf(request.ip),
    clientAddress: response.locals.address,
    client: request.get('user-agent'),
  });
  app.seenCatalog.see(caller.identity);
  addCaller(response, caller.identity);
  for (const right of requiredRights(endpoint)) requireRight(caller, right);
  // Nothing would record who has sent the write.
  if (isWrite(endpoint) && response.destroyed) throw invalidInput('The client has disconnected.');
  reportWhenEnded(app, endpoint, response);
  return { ...received, caller, credentials };
}
