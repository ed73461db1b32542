import type { ActivityReaders, EndedRequest } from '@gateway/activity';
import { addLocals, finalStatusOf, type GatewayResponse } from '../http/response/gateway-response.ts';
import { type AnyEndpoint, isStream } from './endpoint.ts';
import { effectsOf, isWrite } from './writes.ts';

interface Reporting {
  activity: ActivityReaders;
}

type EndedEndpoint = Pick<
  AnyEndpoint,
  'access' | 'method' | 'path' | 'produces' | 'startsJob' | 'status' | 'writes'
>;

const ACCEPTED = 202;

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

/**
 * Informs the readers of a write whose response is about to be sent, once: an error while it is sent does not
 * undo the write.
 */
export async function reportAnswer(
  { activity }: Reporting,
  endpoint: EndedEndpoint,
  response: GatewayResponse,
  status: number,
): Promise<void> {
  if (!isWrite(endpoint) || !activity.readsAnswers || response.locals.isReported === true) return;
  addLocals(response, { isReported: true });
  await activity.answering(endOf(endpoint, response, status));
}

/** Informs the readers of a request whose stream is about to begin. */
export function reportStream(
  { activity }: Reporting,
  endpoint: EndedEndpoint,
  response: GatewayResponse,
): void {
  if (isWrite(endpoint)) activity.ended(endOf(endpoint, response, 200));
}

function endOf(endpoint: EndedEndpoint, { locals }: GatewayResponse, status: number): EndedRequest {
  const { access, method, path, startsJob = null, writes } = endpoint;
  const [effect] = effectsOf(endpoint);
  const jobId = locals.jobId ?? null;
  return {
    kind: 'request',
    requestId: locals.requestId,
    access,
    method,
    route: path,
    about: writes === 'session' || writes === 'unseen' ? writes : 'resources',
    startsJob,
    effect: effect === undefined ? null : { resource: effect.resource, as: effect.as },
    userId: locals.userId ?? null,
    userName: locals.userName ?? null,
    nameHash: locals.nameHash ?? null,
    address: locals.address ?? '',
    projectId: locals.projectId ?? null,
    targetProjectId: locals.targetProjectId ?? null,
    resources: locals.resources ?? [],
    status,
    code: locals.errorCode ?? null,
    jobId,
    isPending: jobId !== null && (status === ACCEPTED || (isStream(endpoint) && status < 400)),
    isReplay: locals.replayed === true,
  };
}
