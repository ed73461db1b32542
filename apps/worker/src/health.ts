import type { RequestListener } from 'node:http';
import { isInNetworks } from '@gateway/platform';
import { respondsWithin } from '@gateway/store';
import type { WorkerContext } from './context.ts';

const REDIS_TIMEOUT_MS = 1_000;

/**
 * `GET /health` and `GET /metrics`, for supervision and Prometheus. With `?ready=true`, the health is 503
 * until the worker has reached Redis once, and while the store is held: it runs no jobs, and perhaps never
 * will.
 */
export function createHealthHandler(context: WorkerContext): RequestListener {
  const { store } = context.redis;
  let hasReachedRedis = store.status === 'ready';
  store.once('ready', () => {
    hasReachedRedis = true;
  });
  return (request, response) => {
    const { socket, url = '' } = request;
    void answer(context, url, socket.remoteAddress ?? '', hasReachedRedis).then(({ status, type, body }) => {
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

async function answer(
  context: WorkerContext,
  url: string,
  address: string,
  hasReachedRedis: boolean,
): Promise<HealthResponse> {
  const [path, query] = url.split('?');
  if (path === '/metrics') {
    if (!isInNetworks(address, context.config.metrics.allowedFrom))
      return json(403, { detail: 'Metrics are not available to this address.', code: 'forbidden' });
    const { contentType, body } = await context.metrics.metricsText();
    return { status: 200, type: contentType, body };
  }
  if (path !== '/health')
    return json(404, { detail: 'There is nothing at this address.', code: 'not_found' });
  const redis = await respondsWithin(context.redis.store, REDIS_TIMEOUT_MS);
  const isStopping = context.stopping.signal.aborted;
  const isHeld = context.storeUse.hold !== null;
  const status = isStopping ? 'draining' : redis && !isHeld ? 'ok' : 'degraded';
  const isUnready =
    new URLSearchParams(query).get('ready') === 'true' && (isStopping || !hasReachedRedis || isHeld);
  return json(isUnready ? 503 : 200, {
    status,
    redis: redis ? 'ok' : 'unavailable',
    jobs: isHeld ? 'held' : 'ok',
    uptime_seconds: Math.floor(process.uptime()),
  });
}

function json(status: number, value: object): HealthResponse {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}
