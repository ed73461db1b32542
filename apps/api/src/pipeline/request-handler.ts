import { forbidden, serviceDisabled } from '@gateway/core';
import type { Identity } from '@gateway/openstack';
import type { Request, RequestHandler, Response } from 'express';
import { targetProjectOf } from '../audit/audit-record.ts';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';
import { idempotencyKeyOf, keyedRequest } from '../http/idempotency/key.ts';
import { markOf } from '../http/idempotency/request-mark.ts';
import { addressOf, attemptedNameIn } from '../http/limits/rate-limits.ts';
import { checkLength } from '../http/request/body.ts';
import { credentialsOf, hasToken } from '../http/request/credentials.ts';
import { validateInput } from '../http/request/validate.ts';
import { sendError } from '../http/response/error-handler.ts';
import { requestIdOf } from '../http/response/gateway-response.ts';
import { type AnyEndpoint, isStream, takesIdempotencyKey } from './endpoint.ts';
import { recordChangeWhenDone } from './record-change.ts';
import { reportChanges } from './report-changes.ts';
import { createRequestContext, type RequestContext } from './request-context.ts';
import { sendCached, sendResult } from './send.ts';
import { orUnknownRoute } from './unknown-route.ts';

/**
 * Creates the handler of an endpoint's requests. It checks, in this order: the length of the body, whether the service is
 * enabled, the caller and their session, access to the project, the role, the rate limits, the input. Then it reads the
 * cache, or runs the endpoint's handler once for each `Idempotency-Key`. All errors go to `sendError`.
 */
export function createRequestHandler(app: AppContext, endpoint: AnyEndpoint): RequestHandler {
  const serve = endpoint.cachedList === undefined ? serveResult : serveCachedList;
  const isEnabled = endpoint.service === undefined || app.config.services[endpoint.service];
  return async (request, response) => {
    response.locals.route = endpoint.path;
    response.locals.onlyReads = endpoint.onlyReads;
    // A closed connection has no address.
    response.locals.address = request.ip;
    try {
      checkLength(request, app.config.http.bodyLimitBytes);
      // A body that nothing reads would make the request time out.
      if (endpoint.body === undefined) request.resume();
      if (!isEnabled) throw serviceDisabled('This service is not enabled here.');
      await serve(app, endpoint, request, response);
    } catch (error) {
      const thrown = orUnknownRoute(endpoint, request.params, error);
      sendError(response, thrown, requestIdOf(response), app.logger);
    }
  };
}

async function serveResult(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const caller = await authenticate(app, endpoint, request, response);
  const result = await validateAndRun(app, endpoint, request, response, caller);
  await sendResult(app, endpoint, response, result);
}

/** Reads the cache after authentication, because the cache key depends on the caller. */
async function serveCachedList(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const { cachedList: list } = endpoint;
  const caller = await authenticate(app, endpoint, request, response);
  if (list === undefined || caller === null) throw new Error(`${endpoint.path} declares no cached list.`);
  const { query } = validateInput({ query: endpoint.query }, { query: request.query });
  const cached = await app.cache.readThrough(list.keyFor(caller.identity), {
    ttlSeconds: (rows) => list.ttlSeconds(app.config.cache, rows),
    isComplete: (rows) => list.isComplete(rows),
    load: () => validateAndRun(app, endpoint, request, response, caller),
    refresh: (query as { refresh?: boolean } | undefined)?.refresh,
    accepted: app.acceptedEncodings.of(request),
  });
  sendCached(request, response, cached);
}

async function authenticate(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<Caller | null> {
  if (endpoint.access === 'public') {
    recordChangeWhenDone(app.audit, endpoint, response);
    return null;
  }
  const { ticket } = request.query;
  const credentials =
    endpoint.acceptsTicket === true && ticket !== undefined && !hasToken(request)
      ? await app.streamTickets.redeem(String(request.params.job_id), ticket)
      : credentialsOf(request);
  const caller = await app.authenticator.authenticate(credentials, {
    projectRequired: endpoint.access !== 'token',
    requestId: requestIdOf(response),
    address: addressOf(request.ip),
    clientAddress: request.ip,
  });
  app.seenCatalog.see(caller.identity);
  identify(response, caller.identity);
  if (endpoint.access === 'admin' && !caller.isAdmin) {
    throw forbidden('This requires the administrator role.');
  }
  if (endpoint.refusesReaders === true && isReader(app, caller)) {
    throw forbidden('This requires a role that may change the project.');
  }
  recordChangeWhenDone(app.audit, endpoint, response);
  return caller;
}

/** Who it is, for the request log and the audit records. */
function identify(response: Response, { projectId, userId, userName }: Identity): void {
  Object.assign(response.locals, { projectId, userId, userName });
}

function isReader({ config }: AppContext, { identity }: Caller): boolean {
  return identity.roles.every((role) => config.identity.readerRoles.includes(role));
}

async function validateAndRun(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
  caller: Caller | null,
): Promise<unknown> {
  const limits = endpoint.rateLimits ?? [];
  for (const name of limits) {
    if (!app.rateLimits.needsBody(name)) await app.rateLimits.consume(name, request, response, caller);
  }
  if (isStream(endpoint) && caller !== null) app.streamLimits.count(response, caller.identity.userId);
  const key = takesIdempotencyKey(endpoint) ? idempotencyKeyOf(request) : undefined;
  const body = endpoint.body === undefined ? undefined : await app.readBody(request, response);
  const input = validateInput(
    { path: endpoint.params, query: endpoint.query, body: endpoint.body },
    { path: request.params, query: request.query, body },
  );
  response.locals.resourceId = resourceIdOf(input.path);
  if (endpoint.changesSession === true) response.locals.nameHash = attemptedNameIn(input.body);
  response.locals.targetProjectId = targetProjectOf(input.path, input.query, input.body);
  for (const name of limits) {
    if (app.rateLimits.needsBody(name)) await app.rateLimits.consume(name, request, response, caller);
  }
  const keyed =
    key === undefined
      ? null
      : keyedRequest(
          app.sealer,
          { ...keyOwner(request, caller), key, path: endpoint.path, params: request.params },
          { query: input.query, body },
        );
  const mark = keyed === null ? undefined : markOf(keyed, app.config.http.idempotencySeconds * 1000);
  const run = async (jobId?: string, isRepeat?: boolean) => {
    const context = createRequestContext({
      app,
      request,
      requestId: requestIdOf(response),
      caller,
      params: input.path,
      query: input.query,
      body: input.body,
      jobId,
      isRepeat,
      mark,
      onIdentified: (identity) => identify(response, identity),
    });
    const result = await runAndDropLists(endpoint, context);
    if (endpoint.startsJob === true) response.locals.jobId = context.jobId;
    return result;
  };
  if (keyed === null) return run();
  return app.idempotency[endpoint.startsJob === true ? 'runJob' : 'run']({
    request: keyed,
    status: endpoint.status ?? 200,
    handle: run,
    onReplay: () => markAsReplayed(response),
  });
}

/** Drops the lists that the endpoint changes. An error drops them too, because a failed write may have had an effect. */
async function runAndDropLists({ changes, handler }: AnyEndpoint, context: RequestContext): Promise<unknown> {
  if (changes === undefined) return handler(context);
  try {
    return await handler(context);
  } finally {
    await reportChanges(context, context.caller.identity.projectId, changes);
  }
}

/** The ids in the validated path, for the audit log. */
function resourceIdOf(params: unknown): string | undefined {
  const ids = Object.values(params ?? {});
  return ids.length === 0 ? undefined : ids.join('/');
}

/** The owner of an idempotency key: a user in a project, or an address for a public endpoint. */
function keyOwner(request: Request, caller: Caller | null): { caller: string; projectId: string } {
  if (caller === null) return { caller: `address:${request.ip ?? ''}`, projectId: '' };
  const { projectId, userId } = caller.identity;
  return { caller: `user:${userId}`, projectId };
}

/** Marks the response as a replay, for the client and for the request log. */
function markAsReplayed(response: Response): void {
  response.locals.replayed = true;
  response.setHeader('Idempotent-Replayed', 'true');
}
