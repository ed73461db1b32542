import { BlockList, isIPv6 } from 'node:net';
import { forbidden } from '@gateway/core';
import { answersWithin } from '@gateway/redis';
import { Reply } from '../../http/reply.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { version } from '../../version.ts';
import type { HealthQuery } from './routes.ts';

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

/** `networks` are addresses or networks in CIDR form; none means that anybody may. */
function isAllowed(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(base, family);
    else allowed.addSubnet(base, Number(bits), family);
  }
  const plain = address.replace(/^::ffff:/, '');
  return allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
