import { forbidden, toTimestamp } from '@gateway/core';
import { serviceTitles, type UnsupportedMicroversion } from '@gateway/openstack';
import { isInNetworks } from '@gateway/platform';
import { respondsWithin } from '@gateway/store';
import type { AppContext } from '../../context.ts';
import { Reply } from '../../http/response/results.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import type { ReadOnlyState } from '../../read-only-mode.ts';
import { version } from '../../version.ts';
import type { HealthQuery } from './schemas.ts';
import type { Health } from './shapes.ts';

/** A store that does not answer within this time is unavailable, so the health check never hangs. */
const STORE_TIMEOUT_MS = 1_000;

/**
 * A process that serves is ready, even without its store or the identity service: it still answers some
 * requests.
 */
export async function getHealth({
  app,
  query,
}: RequestContext<unknown, HealthQuery>): Promise<Health | Reply<Health>> {
  const [dependencies, unsupported] = query.deep
    ? await Promise.all([app.dependencyCheck.check(), app.microversionCheck.check()])
    : [null, []];
  const redis = dependencies?.store ?? (await respondsWithin(app.redis.store, STORE_TIMEOUT_MS));
  const readOnlyState = await readOnlyStateOf(app, redis);
  const isAvailable = redis && dependencies?.identity !== false && dependencies?.cache !== false;
  const { region, serviceUser } = app.cloudChecks;
  const isSetUp = !query.deep || (serviceUser !== 'refused' && region !== 'not_in_catalog');
  const isHeld = app.storeUse.hold !== null;
  const isRunning = isAvailable && !isHeld && dependencies?.maintenance !== false;
  const isComplete = isRunning && isSetUp && unsupported.length === 0;
  const health: Health = {
    status: app.draining ? 'draining' : isComplete ? 'ok' : 'degraded',
    redis: stateOf(redis),
    jobs: isHeld ? 'held' : 'ok',
    ...(dependencies && { identity: stateOf(dependencies.identity) }),
    ...(dependencies && { maintenance: stateOf(dependencies.maintenance) }),
    ...(dependencies && serviceUser !== null && { service_user: serviceUser }),
    ...(dependencies && { region }),
    ...(dependencies && { unsupported_versions: unsupported.map(presentUnsupported) }),
    ...(dependencies && dependencies.cache !== null && { cache: stateOf(dependencies.cache) }),
    read_only: readOnlyState && presentMaintenance(readOnlyState),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  };
  return query.ready && app.draining ? new Reply(503, health) : health;
}

/** A check of health answers in any case. */
async function readOnlyStateOf({ logger, readOnlyMode }: AppContext, isStoreAvailable: boolean) {
  if (!isStoreAvailable) return readOnlyMode.lastRead();
  try {
    return await readOnlyMode.readOrLast();
  } catch (error) {
    logger.warn('The read-only mode could not be read', { error });
    return readOnlyMode.lastRead();
  }
}

/** Everybody may read it, so it does not say who has begun the mode. */
function presentMaintenance({ reason, since, until }: ReadOnlyState) {
  return { reason, since: toTimestamp(since), until: toTimestamp(until) };
}

function presentUnsupported({ needed, offered, service }: UnsupportedMicroversion) {
  return { service: serviceTitles[service], needed, offered };
}

function stateOf(isAvailable: boolean): Health['redis'] {
  return isAvailable ? 'ok' : 'unavailable';
}

export async function getMetrics({ app, address }: RequestContext): Promise<string> {
  if (!isInNetworks(address, app.config.metrics.allowedFrom)) {
    throw forbidden('Metrics are not available to this address.');
  }
  return (await app.metrics.metricsText()).body;
}
