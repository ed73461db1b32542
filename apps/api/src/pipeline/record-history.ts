import type { HistoryLog } from '@gateway/jobs';
import type { Logger } from '@gateway/platform';
import { addLocals, finalStatusOf, type GatewayResponse } from '../http/response/gateway-response.ts';
import { bodyOf } from '../http/response/reply.ts';
import { type AnyEndpoint, isStream } from './endpoint.ts';

interface History {
  history: HistoryLog;
  logger: Logger;
}

type RecordedEndpoint = Pick<
  AnyEndpoint,
  'access' | 'leavesNoHistory' | 'method' | 'onlyReads' | 'path' | 'produces'
>;

/** Requests that were neither accepted nor denied: invalid input, ended sessions, too many requests. */
const UNDECIDED = [400, 401, 429];

/**
 * Records a write in the history of its project, once the response has ended. Delays and fails nothing. The
 * stream of a job is recorded when it begins (`recordStream`).
 */
export function recordHistoryWhenDone(
  app: History,
  endpoint: RecordedEndpoint,
  response: GatewayResponse,
): void {
  if (!leavesHistory(endpoint)) return;
  response.once('close', () => {
    const hasStreamed = isStream(endpoint) && response.statusCode < 400;
    if (!hasStreamed) record(app, endpoint, response, finalStatusOf(response));
  });
}

/** Keeps the name in a response for the history, which shows it when the resource is gone. */
export function addResourceName(response: Pick<GatewayResponse, 'locals'>, result: unknown): void {
  const { id, name } = (bodyOf(result) ?? {}) as { id?: unknown; name?: unknown };
  if (typeof id !== 'string' || typeof name !== 'string') return;
  addLocals(response, { resourceNames: { [id]: name } });
}

/** Records the request of a stream that is about to begin. */
export function recordStream(app: History, endpoint: RecordedEndpoint, response: GatewayResponse): void {
  if (leavesHistory(endpoint)) record(app, endpoint, response, 200);
}

function leavesHistory({ access, leavesNoHistory, method, onlyReads }: RecordedEndpoint): boolean {
  const isOfProject = access === 'project' || access === 'admin';
  return isOfProject && method !== 'GET' && onlyReads !== true && leavesNoHistory !== true;
}

function record(
  { history, logger }: History,
  { access, method, path }: RecordedEndpoint,
  { locals }: GatewayResponse,
  status: number,
): void {
  // What an administrator does concerns the project that the request names.
  const projectId = access === 'admin' ? locals.targetProjectId : locals.projectId;
  if (projectId === undefined || locals.replayed === true || UNDECIDED.includes(status)) return;
  const request = {
    requestId: locals.requestId,
    userId: locals.userId ?? '',
    userName: locals.userName ?? null,
    method,
    route: path,
    resourceIds: locals.resourceId?.split('/') ?? [],
    resourceNames: locals.resourceNames,
    status,
    code: locals.errorCode ?? null,
    jobId: locals.jobId ?? null,
  };
  history
    .record(projectId, request)
    .catch((error: unknown) =>
      logger.warn('A request is missing in the history', { request_id: request.requestId, error }),
    );
}
