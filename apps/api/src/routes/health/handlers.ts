import { forbidden } from '@gateway/core';
import { answersWithin } from '@gateway/redis';
import proxyAddr from 'proxy-addr';
import { Reply } from '../../http/reply.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { version } from '../../version.ts';
import type { HealthQuery } from './schemas.ts';

/** Health never hangs: whoever does not answer by then is away. */
const PATIENCE_MS = 1_000;

export async function getHealth({ app, query, requestId }: RequestContext<unknown, HealthQuery>) {
  const [redis, identity] = await Promise.all([
    answersWithin(app.redis.store, PATIENCE_MS),
    query.ready ? identityAnswers() : undefined,
  ]);
  const status = app.draining ? 'draining' : redis ? 'ok' : 'degraded';
  const health = {
    status,
    redis: redis ? 'ok' : 'unavailable',
    ...(identity !== undefined && { identity: identity ? 'ok' : 'unavailable' }),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  };
  const notReady = query.ready && (status !== 'ok' || identity === false);
  return notReady ? new Reply(503, health) : health;

  async function identityAnswers(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      await app.openstack.identity.ping({ requestId, signal, retry: 'none' });
      return true;
    } catch {
      return false;
    }
  }
}

export async function getMetrics({ app, address }: RequestContext): Promise<string> {
  if (!isAllowed(address, app.config.http.metricsAllowedFrom)) {
    throw forbidden('Metrics are not given to this address.');
  }
  return (await app.metrics.metricsText()).body;
}

/** `networks` are addresses, networks in CIDR form or names as `loopback`; none means that anybody may. */
function isAllowed(address: string, networks: string[]): boolean {
  return networks.length === 0 || proxyAddr.compile(networks)(address, 0);
}
