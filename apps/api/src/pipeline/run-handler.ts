import { updated } from '@gateway/activity';
import { GatewayError } from '@gateway/core';
import { readJob } from '@gateway/jobs';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { AppContext } from '../context.ts';
import { idempotencyKeyOf, keyedRequest } from '../http/idempotency/key.ts';
import { markOf } from '../http/idempotency/request-mark.ts';
import { attemptedNameIn } from '../http/limits/rate-limits.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { ignoredFieldsOf, validateInput } from '../http/request/validate.ts';
import { addCaller, addLocals, requestIdOf } from '../http/response/gateway-response.ts';
import { nameIgnored } from '../http/response/ignored.ts';
import { JobStream } from '../http/streams/event-streams.ts';
import type { AuthenticatedRequest } from './authenticate-request.ts';
import { type AnyEndpoint, isStream, takesIdempotencyKey } from './endpoint.ts';
import { namedBy, namedInPath } from './named-resources.ts';
import { reportStream } from './report-end.ts';
import { createRequestContext, type RequestContext, type RequestParts } from './request-context.ts';
import { changedBy, isRefusedWhileReadOnly, isWrite, writtenBy } from './writes.ts';

/** Checks the mode of the gateway, limits and input, and runs the handler, once for each idempotency key. */
export async function validateAndRun(received: AuthenticatedRequest) {
  const { app, endpoint, request, response, caller } = received;
  // A stored response has no cookie.
  const changesCookie = endpoint.writes === 'session' && app.sessionCookies?.has(request) === true;
  const key = takesIdempotencyKey(endpoint) && !changesCookie ? idempotencyKeyOf(request) : undefined;
  if (key === undefined) await requireWritable(received);
  await consumeRateLimits(received, 'before the body');
  if (isStream(endpoint) && caller !== null) app.streamLimits.count(response, caller.identity.userId);
  const input = await readInput(received);
  await consumeRateLimits(received, 'with the body');
  const result = await runOncePerKey(received, input, key);
  if (isWrite(endpoint)) addLocals(response, { resources: namedBy(endpoint, input.params, input, result) });
  if (result instanceof JobStream && isStream(endpoint)) reportStream(app, endpoint, response);
  return { input, result };
}

/** Runs the handler, or replays the response to an earlier request with the same idempotency key. */
async function runOncePerKey(
  received: AuthenticatedRequest,
  input: Awaited<ReturnType<typeof readInput>>,
  key: string | undefined,
): Promise<unknown> {
  const { app, endpoint, request, response, caller } = received;
  if (key === undefined) return runHandler(received, input);
  const keyed = keyedRequest(
    app.sealer,
    { ...keyOwner(app, request, caller), key, path: endpoint.path, params: request.params },
    { query: input.query, body: input.rawBody, preference: endpoint.preference },
  );
  const mark = markOf(keyed, app.config.http.idempotencySeconds * 1000);
  return app.idempotency[endpoint.startsJob === undefined ? 'run' : 'runJob']({
    request: keyed,
    status: endpoint.status ?? 200,
    handle: async (jobId?: string, isRepeat?: boolean) => {
      await requireWritable(received, isRepeat ? jobId : undefined);
      return runHandler(received, { ...input, jobId, isRepeat, mark });
    },
    onReplay: () => markAsReplayed(response),
  });
}

/**
 * Refuses a write while the gateway is read-only. A repeat whose job exists writes nothing new: it gets what
 * the first request began.
 */
async function requireWritable(
  { app, endpoint }: AuthenticatedRequest,
  repeatedJobId?: string,
): Promise<void> {
  if (!isRefusedWhileReadOnly(endpoint)) return;
  const isBegun = repeatedJobId !== undefined && (await readJob(app.redis.store, repeatedJobId)) !== null;
  if (!isBegun) await app.readOnlyMode.requireWritable();
}

/** Limits that count by a field of the body are consumed once the body has been validated. */
export async function consumeRateLimits(
  { app, endpoint, request, response, caller }: AuthenticatedRequest,
  when: 'before the body' | 'with the body',
): Promise<void> {
  for (const name of endpoint.rateLimits ?? []) {
    if (app.rateLimits.needsBody(name) !== (when === 'with the body')) continue;
    await app.rateLimits.consume(name, request, response, caller);
  }
}

/** Reads the body, if the endpoint takes one, and validates all input. */
async function readInput({ app, endpoint, query, request, response }: AuthenticatedRequest) {
  const read = endpoint.takesForm === true ? app.readForm : app.readBody;
  const rawBody = endpoint.body === undefined ? undefined : await read(request, response);
  const input = validateInput(
    { path: endpoint.params, query: endpoint.query, body: endpoint.body },
    { path: request.params, query, body: rawBody },
    { refusesUnknownQuery: endpoint.method === 'GET' },
  );
  const isUnused = endpoint.body === undefined && endpoint.method !== 'GET';
  const unused = isUnused ? ignoredFieldsOf(await readUnused(app, request, response)) : [];
  nameIgnored(response, [...input.ignored, ...unused]);
  addLocals(response, {
    resources: namedInPath(endpoint, input.path),
    targetProjectId: targetProjectOf(input.path, input.query, input.body),
    nameHash: endpoint.writes === 'session' ? await attemptedNameIn(input.body, app) : undefined,
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

/** The validated input, and what the `Idempotency-Key` says. */
type HandlerInput = Pick<RequestParts, 'params' | 'query' | 'body' | 'jobId' | 'isRepeat' | 'mark'>;

/** Runs the handler of the endpoint, and drops the lists that it changes. */
export async function runHandler(received: AuthenticatedRequest, input: HandlerInput): Promise<unknown> {
  const { app, caller, credentials, endpoint, request, response } = received;
  const context = createRequestContext({
    ...{ app, request, response, requestId: requestIdOf(response), caller, credentials },
    ...input,
    onIdentified: (identity) => addCaller(response, identity),
    onJob: (jobId) => addLocals(response, { jobId }),
    onLeftover: (leftover) =>
      addLocals(response, { leftovers: [...(response.locals.leftovers ?? []), leftover] }),
  });
  try {
    const result = await runAndReport(endpoint, context);
    if (endpoint.startsJob !== undefined) context.startedJob(context.jobId);
    return result;
  } catch (error) {
    // The error of a conflict names another job.
    const { jobId } = error instanceof GatewayError ? error : {};
    if (endpoint.startsJob !== undefined && jobId === context.jobId) context.startedJob(jobId);
    throw error;
  }
}

/** Informs the readers of writes, also of an error, because a failed write may have had an effect. */
async function runAndReport(endpoint: AnyEndpoint, context: RequestContext): Promise<unknown> {
  const mayChange = changedBy(endpoint);
  if (mayChange.length === 0) return endpoint.handler(context);
  const { app, logger, params } = context;
  const { projectId, userId } = context.caller.identity;
  // It is not known whether the resource of the path has changed.
  let resources = mayChange.map((resource) => updated(resource));
  try {
    const result = await endpoint.handler(context);
    resources = writtenBy(endpoint, params, context, result);
    return result;
  } finally {
    await app.activity.written({ projectIds: [projectId], resources, userId, jobId: null }, logger);
  }
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

/** The project that validated input names. */
function targetProjectOf(...inputs: unknown[]): string | undefined {
  for (const input of inputs) {
    const { project_id } = (input ?? {}) as { project_id?: unknown };
    if (typeof project_id === 'string') return project_id;
  }
  return undefined;
}
