import type { RequestListener } from 'node:http';
import { isInNetworks } from '@gateway/config';
import { respondsWithin } from '@gateway/redis';
import type { WorkerContext } from './context.ts';

const REDIS_TIMEOUT_MS = 1_000;

/** `GET /health` and `GET /metrics`, for supervision and Prometheus. */
export function createHealthHandler(context: WorkerContext): RequestListener {
  return (request, response) => {
    const { socket, url = '' } = request;
    void answer(context, url, socket.remoteAddress ?? '').then(({ status, type, body }) => {
      response.writeHead(status, { 'Content-Type': type });
      response.end(body);
    });
  };
}

interface HealthResponse {
  status: number;
  type: string;
  body: string;
}

async function answer(context: WorkerContext, url: string, address: string): Promise<HealthResponse> {
  const path = url.split('?')[0];
  if (path === '/metrics') {
    if (!isInNetworks(address, context.config.http.metricsAllowedFrom))
      return json(403, { detail: 'Metrics are not available to this address.', code: 'forbidden' });
    const { contentType, body } = await context.metrics.metricsText();
    return { status: 200, type: contentType, body };
  }
  if (path !== '/health')
    return json(404, { detail: 'There is nothing at this address.', code: 'not_found' });
  const redis = await respondsWithin(context.redis.store, REDIS_TIMEOUT_MS);
  const status = context.stopping.signal.aborted ? 'draining' : redis ? 'ok' : 'degraded';
  return json(200, {
    status,
    redis: redis ? 'ok' : 'unavailable',
    uptime_seconds: Math.floor(process.uptime()),
  });
}

function json(status: number, value: object): HealthResponse {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}
