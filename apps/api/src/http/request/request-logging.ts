import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from '@gateway/core';
import type { Logger, Metrics } from '@gateway/platform';
import { finalStatusOf, type GatewayResponse } from '../response/gateway-response.ts';
import { closeUnlessComplete } from '../response/unread-body.ts';
import { headerText } from './credentials.ts';

interface RequestInstruments {
  logger: Logger;
  metrics: Pick<Metrics, 'requestFinished'>;
}

/**
 * Gives each request an id. When the response ends, or the client disconnects first (status 499), writes one
 * log line and records the duration. The fields of the log line come from the response's `locals`.
 */
export function instrumentRequest(
  { logger, metrics }: RequestInstruments,
  request: IncomingMessage,
  serverResponse: ServerResponse,
): GatewayResponse {
  const started = performance.now();
  const response = assignRequestId(request, serverResponse);
  response.on('close', () => {
    closeUnlessComplete(request);
    const durationMs = performance.now() - started;
    const { locals } = response;
    const { route = 'unknown', requestId, projectId, userId, jobId, replayed } = locals;
    const { address, leftovers, nameHash, resources = [] } = locals;
    const status = finalStatusOf(response);
    const { method = '' } = request;
    metrics.requestFinished({ method, route, status, durationSeconds: durationMs / 1000 });
    const fields = {
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
    logger.info('Request', fields);
    const isKnown = userId !== undefined || nameHash !== undefined;
    if (isWrite(method) && locals.onlyReads !== true && isKnown) {
      const ids = resources.map(({ id }) => id).join('/');
      const resource_id = ids === '' ? undefined : ids;
      logger.audit('Audit', { ...fields, resource_id, address, name_hash: nameHash, leftovers });
    }
  });
  return response;
}

/** Writes are logged a second time, for the audit log. */
function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** Assigns the request id: the one that the client sent if it is well formed, else a new one. */
export function assignRequestId({ headers }: IncomingMessage, response: ServerResponse): GatewayResponse {
  const requestId = requestIdFrom(
    headerText(headers['x-request-id']),
    headerText(headers['x-openstack-request-id']),
  );
  const identified = response as GatewayResponse;
  identified.locals = { requestId };
  return identified;
}
