import { ActivityReaders, AuditLog, openAuditStream, sharedReaders } from '@gateway/activity';
import { ListCache } from '@gateway/cache';
import { type Dependencies, MicroversionCheck, openDependencies, type ProcessParts } from '@gateway/context';
import { HistoryLog, ProgressRelay } from '@gateway/jobs';
import { recordAudit } from './audit/record-audit.ts';
import { recordHistory } from './audit/record-history.ts';
import { type Authentication, createAuthentication } from './create-authentication.ts';
import { DependencyCheck } from './dependency-check.ts';
import { Idempotency } from './http/idempotency/idempotency.ts';
import { IdempotencyStore } from './http/idempotency/store.ts';
import { createRateLimits, type RateLimits } from './http/limits/rate-limits.ts';
import { StreamLimits } from './http/limits/stream-limits.ts';
import { createBodyReader, createFormReader, type ReadBody } from './http/request/body.ts';
import { SessionCookies } from './http/request/session-cookies.ts';
import { AcceptedEncodings } from './http/response/accepted-encoding.ts';
import { EventStreams } from './http/streams/event-streams.ts';
import { Listeners } from './http/streams/listeners.ts';
import { Locks } from './locks/locks.ts';
import { observeSharedState } from './observe-shared-state.ts';
import { ReadOnlyMode } from './read-only-mode.ts';

/** The dependencies of one api process. Created once and passed down. */
export interface AppContext extends Dependencies, Authentication {
  readonly cache: ListCache;
  readonly rateLimits: RateLimits;
  /** Null unless browsers may have their sessions in cookies, as the operators' page has. */
  readonly sessionCookies: SessionCookies | null;
  readonly dependencyCheck: DependencyCheck;
  readonly microversionCheck: MicroversionCheck;
  readonly readBody: ReadBody;
  readonly readForm: ReadBody;
  readonly acceptedEncodings: AcceptedEncodings;
  readonly idempotency: Idempotency;
  readonly audit: AuditLog;
  /** Learn what the process writes. */
  readonly activity: ActivityReaders;
  readonly relay: ProgressRelay;
  readonly streams: EventStreams;
  /** Who listens to the changes of projects in this process. */
  readonly history: HistoryLog;
  readonly listeners: Listeners;
  readonly streamLimits: StreamLimits;
  /** Lets requests of all api processes change a resource of the cloud one after the other. */
  readonly locks: Locks;
  /** Whether the gateway accepts changes. */
  readonly readOnlyMode: ReadOnlyMode;
  /** True once the shutdown has begun. */
  draining: boolean;
  /**
   * Aborted shortly before the shutdown ends. Requests that wait for a job then answer 504 with the job's id.
   */
  readonly waitAbort: AbortController;
}

export function createContext(parts: ProcessParts): AppContext {
  const { forwardClientAddress: forwardsClientAddress } = parts.config.http;
  const dependencies = openDependencies(parts, { retryPolicy: 'fail-fast', forwardsClientAddress });
  const { callbacks, clock, firstBoots, closers, config, kubeconfigRenewals, logger } = dependencies;
  const { machineFailures, metrics, openstack, redis } = dependencies;
  const readOnlyMode = new ReadOnlyMode({ redis: redis.store, clock });
  const stream = openAuditStream(dependencies);
  observeSharedState(dependencies, readOnlyMode, stream.outbox);
  const authentication = createAuthentication(dependencies);
  const { logInOrigins, sealedTickets, seenCatalog, seenDomains } = authentication;
  const relay = new ProgressRelay(redis.store, redis.blocking('relay'));
  relay.start();
  closers.add('relay', () => relay.close());
  const onUnavailable = (error: unknown) => logger.debug('The store is unavailable', { error });
  const cache = new ListCache(redis.cache, {
    processBytes: config.cache.processBytes,
    unsharedSeconds: config.cache.transitionSeconds,
    transitionLimitSeconds: config.cache.transitionLimitSeconds,
    clock,
    onRead: (list, outcome) => metrics.cacheRead({ list, outcome }),
    onCompress: (list, encoding) => metrics.listCompressed({ list, encoding }),
    onUnavailable,
  });
  const audit = new AuditLog({ redis: redis.store, clock, logger, limits: config.audit });
  const history = new HistoryLog({ redis: redis.store, clock, limits: config.history });
  return {
    ...dependencies,
    ...authentication,
    cache,
    rateLimits: createRateLimits({
      redis: redis.store,
      logger,
      limits: config.rateLimits,
      logInOrigins,
      sealedTickets,
      seenDomains,
      issuersOfTokens: [callbacks, machineFailures, firstBoots, kubeconfigRenewals],
    }),
    sessionCookies:
      config.session.cookies || config.ops.enabled ? new SessionCookies(sealedTickets, config) : null,
    dependencyCheck: new DependencyCheck({ redis, openstack, config, clock }),
    microversionCheck: new MicroversionCheck({
      openstack,
      logger,
      clock,
      endpoints: (requestId) => seenCatalog.endpoints(requestId),
    }),
    readBody: createBodyReader(config.http.bodyLimitBytes),
    readForm: createFormReader(config.http.bodyLimitBytes),
    acceptedEncodings: new AcceptedEncodings(),
    idempotency: openIdempotency(dependencies),
    audit,
    history,
    activity: new ActivityReaders(
      [
        ...sharedReaders({ ...dependencies, cache }),
        ...stream.readers,
        recordAudit(audit),
        recordHistory(history),
      ],
      logger,
    ),
    relay,
    streams: new EventStreams({ relay, metrics, heartbeatMs: config.http.heartbeatSeconds * 1000 }),
    listeners: new Listeners(),
    streamLimits: new StreamLimits(config.http),
    locks: new Locks(redis.store, { onUnavailable }),
    readOnlyMode,
    draining: false,
    waitAbort: new AbortController(),
  };
}

function openIdempotency({ closers, config, logger, redis, sealer }: Dependencies): Idempotency {
  const { idempotencySeconds, idempotencyRefusalSeconds } = config.http;
  const idempotency = new Idempotency({
    redis: redis.store,
    store: new IdempotencyStore(redis.store, sealer, {
      get keysPerCaller() {
        return config.http.idempotencyKeysPerUser;
      },
    }),
    logger,
    windowMs: idempotencySeconds * 1000,
    refusalMs: idempotencyRefusalSeconds * 1000,
    jobWindowMs: Math.min(idempotencySeconds, config.jobs.keepSeconds) * 1000,
  });
  closers.add('idempotency', async () => idempotency.close());
  return idempotency;
}
