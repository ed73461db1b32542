import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppContext } from '../context.ts';
import type { Answer } from './answer.ts';
import { giveRequestId } from './request-id.ts';
import { closeUnlessComplete } from './unread-body.ts';

/**
 * What befalls every request: it gets its id, and one line and one measurement when its answer has gone out or
 * its caller has gone away. What is to be told of it is gathered in the answer's `locals`.
 */
export function attend(
  { logger, metrics }: Pick<AppContext, 'logger' | 'metrics'>,
  request: IncomingMessage,
  response: ServerResponse,
): Answer {
  const started = performance.now();
  const answer = giveRequestId(request, response);
  answer.on('close', () => {
    closeUnlessComplete(request);
    const durationMs = performance.now() - started;
    const { route = 'unknown', requestId, projectId, userId, jobId, resourceId, replayed } = answer.locals;
    const status = answer.writableFinished ? answer.statusCode : 499;
    const { method = '' } = request;
    metrics.requestFinished({ method, route: String(route), status, durationSeconds: durationMs / 1000 });
    const facts = {
      request_id: requestId,
      project_id: projectId,
      user_id: userId,
      method,
      route,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      job_id: jobId,
      replayed,
    };
    logger.info('Request', facts);
    if (isChange(method) && userId !== undefined) {
      logger.info('Audit', { ...facts, resource_id: resourceId });
    }
  });
  return answer;
}

/** Creates, deletes and changes leave a line of their own; reads do not. */
function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
