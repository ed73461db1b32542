import { GatewayError, serviceDisabled } from '@gateway/core';
import { requireRight } from '@gateway/dependencies';
import { watchLeftOut } from '@gateway/openstack';
import type { Request, RequestHandler, Response } from 'express';
import { targetProjectOf } from '../audit/audit-record.ts';
import type { Credentials } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import { ticketSubject } from '../auth/stream-tickets.ts';
import type { AppContext } from '../context.ts';
import { idempotencyKeyOf, keyedRequest } from '../http/idempotency/key.ts';
import { markOf } from '../http/idempotency/request-mark.ts';
import { addressOf, attemptedNameIn } from '../http/limits/rate-limits.ts';
import { checkLength } from '../http/request/body.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { credentialsOf, hasToken } from '../http/request/credentials.ts';
import { ignoredFieldsOf, validateInput } from '../http/request/validate.ts';
import { sendError } from '../http/response/error-handler.ts';
import { addCaller, addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { nameIgnored } from '../http/response/ignored.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import { addAuditedIds } from './audited-ids.ts';
import { changesOf, touchedBy } from './changes-of.ts';
import { type AnyEndpoint, isStream, requiredRights, takesIdempotencyKey } from './endpoint.ts';
import { observeInPassing } from './observe-list.ts';
import { recordChangeWhenDone } from './record-change.ts';
import { addResourceName, recordHistoryWhenDone, recordStream } from './record-history.ts';
import { reportChanges } from './report-changes.ts';
import { createRequestContext, type RequestContext, type RequestParts } from './request-context.ts';
import { selectPart } from './selected-part.ts';
import { sendCached, sendResult } from './send.ts';
import { orUnknownRoute } from './unknown-route.ts';

/**
 * Creates the handler of an endpoint's requests. It checks, in this order: the length of the body, whether
 * the service is enabled, the caller and their session, access to the project, the role, the rate limits, the
 * input. Then it reads the cache, or runs the endpoint's handler once for each `Idempotency-Key`. All errors
 * go to `sendError`.
 */
export function createRequestHandler(app: AppContext, endpoint: AnyEndpoint): RequestHandler {
  const serve = endpoint.cachedList === undefined ? serveResult : serveCachedList;
  const isEnabled = endpoint.service === undefined || app.config.services[endpoint.service];
  return async (request, response) => {
    addLocals(response, {
      route: endpoint.path,
      onlyReads: endpoint.onlyReads,
      address: clientAddress(request),
    });
    try {
      checkLength(request, app.config.http.bodyLimitBytes);
      // A body that nothing reads would make the request time out.
      if (endpoint.method === 'GET') request.resume();
      if (!isEnabled)
        throw serviceDisabled(`This service is not enabled here (services.${settingOf(endpoint)}).`);
      // Express would parse the query at each access.
      Object.defineProperty(request, 'query', { value: request.query });
      await serve(app, endpoint, request, response);
    } catch (error) {
      const thrown = orUnknownRoute(endpoint, request.params, error);
      sendError(response, thrown, requestIdOf(response), app.logger);
    }
  };
}

/** The key of the service's switch, as in the configuration file. */
function settingOf({ service }: AnyEndpoint): string {
  return String(service).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A request whose caller is known; null on a public endpoint. */
interface AuthenticatedRequest {
  app: AppContext;
  endpoint: AnyEndpoint;
  request: Request;
  response: Response;
  caller: Caller | null;
  credentials: Credentials;
}

async function serveResult(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const { caller, credentials } = await authenticate(app, endpoint, request, response);
  const isWhole = Object.keys(request.query).length === 0;
  const onRead = isWhole ? await observeInPassing(app, endpoint.watched, caller) : undefined;
  await runAndSend({ app, endpoint, request, response, caller, credentials }, onRead);
}

/** Sends the result of the handler: of a list, the rows that the query selects. */
async function runAndSend(
  received: AuthenticatedRequest,
  onRead: (rows: unknown) => void = () => {},
): Promise<void> {
  const { app, endpoint, response } = received;
  const {
    result: { input, result },
    leftOut,
  } = await watchLeftOut(() => validateAndRun(received));
  onRead(result);
  if (leftOut) response.setHeader('X-Incomplete', 'true');
  const selection = endpoint.listRows?.selectionOf(input.query);
  const isWhole = selection == null || !Array.isArray(result);
  await sendResult(app, endpoint, response, isWhole ? result : selectPart(response, result, selection));
}

/** Reads the cache after authentication, because the cache key depends on the caller. */
async function serveCachedList(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const { cachedList: list } = endpoint;
  const { caller, credentials } = await authenticate(app, endpoint, request, response);
  if (list === undefined || caller === null) throw new Error(`${endpoint.path} declares no cached list.`);
  const { query } = validateInput({ query: endpoint.query }, { query: request.query });
  if (endpoint.bypassesCache?.(query) === true) {
    await runAndSend({ app, endpoint, request, response, caller, credentials });
    return;
  }
  let onLoaded: (rows: unknown) => void = () => {};
  const cached = await app.cache.getOrLoad(list.keyFor(caller.identity), {
    ...list.keeping(app.config.cache),
    async load() {
      onLoaded = await observeInPassing(app, endpoint.watched, caller);
      return (await validateAndRun({ app, endpoint, request, response, caller, credentials })).result;
    },
    onLoaded: (rows) => onLoaded(rows),
    refresh: (query as { refresh?: boolean } | undefined)?.refresh,
    accepted: app.acceptedEncodings.of(request),
    selection: endpoint.listRows?.selectionOf(query) ?? undefined,
  });
  sendCached(request, response, cached);
}

async function authenticate(
  app: AppContext,
  endpoint: AnyEndpoint,
  request: Request,
  response: Response,
): Promise<Pick<AuthenticatedRequest, 'caller' | 'credentials'>> {
  if (endpoint.access === 'public') {
    recordChangeWhenDone(app.audit, endpoint, response);
    return { caller: null, credentials: { token: undefined, projectId: undefined } };
  }
  app.sessionCookies?.requireOwnPage(request);
  const { ticket } = request.query;
  const credentials =
    endpoint.acceptsTicket === true && ticket !== undefined && !hasToken(request)
      ? await app.streamTickets.redeem(ticketSubject(request.params.job_id), ticket)
      : credentialsOf(request);
  const caller = await app.authenticator.authenticate(credentials, {
    projectRequired: endpoint.access !== 'token',
    requestId: requestIdOf(response),
    // Only needed for a token that this process does not know.
    get address() {
      return addressOf(request.ip);
    },
    clientAddress: response.locals.address,
    client: request.get('user-agent'),
  });
  app.seenCatalog.see(caller.identity);
  addCaller(response, caller.identity);
  for (const right of requiredRights(endpoint)) requireRight(caller, right);
  recordChangeWhenDone(app.audit, endpoint, response);
  recordHistoryWhenDone(app, endpoint, response);
  return { caller, credentials };
}

/** Checks limits and input, and runs the handler, once for each idempotency key. */
async function validateAndRun(received: AuthenticatedRequest) {
  const { app, endpoint, request, response, caller } = received;
  await consumeRateLimits(received, 'before the body');
  if (isStream(endpoint) && caller !== null) app.streamLimits.count(response, caller.identity.userId);
  const key = takesIdempotencyKey(endpoint) ? idempotencyKeyOf(request) : undefined;
  const input = await readInput(received);
  await consumeRateLimits(received, 'with the body');
  const result = await runOncePerKey(received, input, key);
  addAuditedIds(endpoint, response, input, result);
  addResourceName(response, result);
  if (result instanceof JobStream && isStream(endpoint)) recordStream(app, endpoint, response);
  return { input, result };
}

/** Runs the handler, or replays the response to an earlier request with the same idempotency key. */
async function runOncePerKey(
  received: AuthenticatedRequest,
  input: Awaited<ReturnType<typeof readInput>>,
  key: string | undefined,
): Promise<unknown> {
  const { app, endpoint, request, response, caller, credentials } = received;
  const parts = { app, request, response, requestId: requestIdOf(response), caller, credentials, ...input };
  if (key === undefined) return runHandler(received, parts);
  const keyed = keyedRequest(
    app.sealer,
    { ...keyOwner(app, request, caller), key, path: endpoint.path, params: request.params },
    { query: input.query, body: input.rawBody, preference: endpoint.preference },
  );
  const mark = markOf(keyed, app.config.http.idempotencySeconds * 1000);
  return app.idempotency[endpoint.startsJob === true ? 'runJob' : 'run']({
    request: keyed,
    status: endpoint.status ?? 200,
    handle: (jobId?: string, isRepeat?: boolean) => runHandler(received, { ...parts, jobId, isRepeat, mark }),
    onReplay: () => markAsReplayed(response),
  });
}

/** Limits that count by a field of the body are consumed once the body has been validated. */
async function consumeRateLimits(
  { app, endpoint, request, response, caller }: AuthenticatedRequest,
  when: 'before the body' | 'with the body',
): Promise<void> {
  for (const name of endpoint.rateLimits ?? []) {
    if (app.rateLimits.needsBody(name) !== (when === 'with the body')) continue;
    await app.rateLimits.consume(name, request, response, caller);
  }
}

/** Reads the body, if the endpoint takes one, and validates all input. */
async function readInput({ app, endpoint, request, response }: AuthenticatedRequest) {
  const read = endpoint.takesForm === true ? app.readForm : app.readBody;
  const rawBody = endpoint.body === undefined ? undefined : await read(request, response);
  const input = validateInput(
    { path: endpoint.params, query: endpoint.query, body: endpoint.body },
    { path: request.params, query: request.query, body: rawBody },
    { refusesUnknownQuery: endpoint.method === 'GET' },
  );
  const isUnused = endpoint.body === undefined && endpoint.method !== 'GET';
  const unused = isUnused ? ignoredFieldsOf(await readUnused(app, request, response)) : [];
  nameIgnored(response, [...input.ignored, ...unused]);
  addLocals(response, {
    resourceId: idsIn(input.path),
    targetProjectId: targetProjectOf(input.path, input.query, input.body),
    nameHash: endpoint.changesSession === true ? await attemptedNameIn(input.body, app) : undefined,
  });
  return { params: input.path, query: input.query, body: input.body, rawBody };
}

/** The body of a change that takes none, in order to name its fields. Undefined if it cannot be read. */
async function readUnused(app: AppContext, request: Request, response: Response): Promise<unknown> {
  try {
    return await app.readBody(request, response);
  } catch {
    request.resume();
    return undefined;
  }
}

async function runHandler(
  { endpoint, response }: AuthenticatedRequest,
  parts: RequestParts,
): Promise<unknown> {
  const context = createRequestContext({
    ...parts,
    onIdentified: (identity) => addCaller(response, identity),
    onJob: (jobId) => addLocals(response, { jobId }),
    onLeftover: (leftover) =>
      addLocals(response, { leftovers: [...(response.locals.leftovers ?? []), leftover] }),
  });
  try {
    const result = await runAndReportChanges(endpoint, context);
    if (endpoint.startsJob === true) context.startedJob(context.jobId);
    return result;
  } catch (error) {
    // The error of a conflict names another job.
    const { jobId } = error instanceof GatewayError ? error : {};
    if (endpoint.startsJob === true && jobId === context.jobId) context.startedJob(jobId);
    throw error;
  }
}

/**
 * Drops the lists that the endpoint changes, and informs listeners. An error does so too, because a failed
 * write may have had an effect.
 */
async function runAndReportChanges(endpoint: AnyEndpoint, context: RequestContext): Promise<unknown> {
  const { changes: changed, handler } = endpoint;
  if (changed === undefined) return handler(context);
  const { projectId, userId } = context.caller.identity;
  const { params, query, body } = context;
  // It is not known whether the resource of the path has changed.
  let changes = touchedBy(changed);
  try {
    const result = await handler(context);
    changes = changesOf({ endpoint, changed, params, input: { query, body }, result, userId });
    return result;
  } finally {
    await reportChanges(context, projectId, changed, changes);
  }
}

/** The ids in the validated path, for the audit log. */
function idsIn(params: unknown): string | undefined {
  const ids = Object.values(params ?? {});
  return ids.length === 0 ? undefined : ids.join('/');
}

/**
 * The owner of an idempotency key: a user in a project, or an address for a public endpoint. A page whose
 * session is in a cookie gets no response that may contain a token, and a credential that acts for the user
 * with some of the rights none of another's.
 */
function keyOwner(
  { sessionCookies }: AppContext,
  request: Request,
  caller: Caller | null,
): { caller: string; projectId: string } {
  if (caller === null) return { caller: `address:${clientAddress(request)}`, projectId: '' };
  const { limitedBy, projectId, userId } = caller.identity;
  const owner = `${sessionCookies?.has(request) ? 'page-of-user' : 'user'}:${userId}`;
  return { caller: limitedBy === undefined ? owner : `${owner}:${limitedBy}`, projectId };
}

/** Marks the response as a replay, for the client and for the request log. */
function markAsReplayed(response: Response): void {
  addLocals(response, { replayed: true });
  response.setHeader('Idempotent-Replayed', 'true');
}
