import { isInNetworks } from '@gateway/config';
import { forbidden } from '@gateway/core';
import { respondsWithin } from '@gateway/redis';
import { Reply } from '../../http/response/reply.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { version } from '../../version.ts';
import type { HealthQuery } from './schemas.ts';

/** A store that does not answer within this time is unavailable, so the health check never hangs. */
const STORE_TIMEOUT_MS = 1_000;

export async function getHealth({ app, query, requestId }: RequestContext<unknown, HealthQuery>) {
  const ready = query.ready ? await app.readiness.check(requestId) : null;
  const redis = ready === null ? await respondsWithin(app.redis.store, STORE_TIMEOUT_MS) : ready.store;
  const status = app.draining ? 'draining' : redis ? 'ok' : 'degraded';
  const health = {
    status,
    redis: redis ? 'ok' : 'unavailable',
    ...(ready !== null && { identity: ready.identity ? 'ok' : 'unavailable' }),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  };
  const isUnready = ready !== null && (status !== 'ok' || !ready.identity);
  return isUnready ? new Reply(503, health) : health;
}

export async function getMetrics({ app, address }: RequestContext): Promise<string> {
  if (!isInNetworks(address, app.config.http.metricsAllowedFrom)) {
    throw forbidden('Metrics are not available to this address.');
  }
  return (await app.metrics.metricsText()).body;
}
