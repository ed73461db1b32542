import type { Logger, Metrics } from '@gateway/telemetry';
import type { RequestHandler } from 'express';
import { giveRequestId } from './request-id.ts';

/**
 * What befalls every request: it gets its id, and one line and one measurement when its answer has gone out or
 * its caller has gone away.
 */
export function attend(logger: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    giveRequestId(request, response);
    response.on('close', () => {
      const durationMs = performance.now() - started;
      const { route = 'unknown', requestId, projectId, userId, jobId } = response.locals;
      const status = response.writableFinished ? response.statusCode : 499;
      const { method } = request;
      metrics.requestFinished({ method, route, status, durationSeconds: durationMs / 1000 });
      const facts = {
        request_id: requestId,
        project_id: projectId,
        user_id: userId,
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        job_id: jobId,
      };
      logger.info('Request', facts);
      if (isChange(method) && userId !== undefined) {
        logger.info('Audit', { ...facts, resource_id: Object.values(request.params).join('/') || undefined });
      }
    });
    next();
  };
}

/** Creates, deletes and changes leave a line of their own; reads do not. */
function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}
