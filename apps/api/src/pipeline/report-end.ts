import type { ActivityReaders, EndedRequest } from '@gateway/activity';
import { finalStatusOf, type GatewayResponse } from '../http/response/gateway-response.ts';
import { type AnyEndpoint, isStream } from './endpoint.ts';
import { isWrite } from './writes.ts';

interface Reporting {
  activity: ActivityReaders;
}

type EndedEndpoint = Pick<AnyEndpoint, 'access' | 'method' | 'path' | 'produces' | 'writes'>;

/**
 * Informs the readers of writes of a request, once the response has ended. A request whose response streams
 * the events of a job has ended when the stream begins (`reportStream`).
 */
export function reportWhenEnded(
  { activity }: Reporting,
  endpoint: EndedEndpoint,
  response: GatewayResponse,
): void {
  if (!isWrite(endpoint)) return;
  response.once('close', () => {
    const hasStreamed = isStream(endpoint) && response.statusCode < 400;
    if (!hasStreamed) activity.ended(endOf(endpoint, response, finalStatusOf(response)));
  });
}

/** Informs the readers of a request whose stream is about to begin. */
export function reportStream(
  { activity }: Reporting,
  endpoint: EndedEndpoint,
  response: GatewayResponse,
): void {
  if (isWrite(endpoint)) activity.ended(endOf(endpoint, response, 200));
}

function endOf(
  { access, method, path, writes }: EndedEndpoint,
  { locals }: GatewayResponse,
  status: number,
): EndedRequest {
  return {
    kind: 'request',
    requestId: locals.requestId,
    access,
    method,
    route: path,
    about: writes === 'session' || writes === 'unseen' ? writes : 'resources',
    userId: locals.userId ?? null,
    userName: locals.userName ?? null,
    nameHash: locals.nameHash ?? null,
    address: locals.address ?? '',
    projectId: locals.projectId ?? null,
    targetProjectId: locals.targetProjectId ?? null,
    resources: locals.resources ?? [],
    status,
    code: locals.errorCode ?? null,
    jobId: locals.jobId ?? null,
    isReplay: locals.replayed === true,
  };
}
