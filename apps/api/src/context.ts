import { type AutoBackups, createAutoBackups } from '@gateway/auto-backup';
import { ListCache } from '@gateway/cache';
import type { Config } from '@gateway/config';
import { type Clock, Sealer, systemClock } from '@gateway/core';
import {
  Callbacks,
  CredentialStore,
  countLeftovers,
  GpuQuotaStore,
  KeptTokens,
  Producer,
  ProgressRelay,
  Queues,
  readQueueLoads,
} from '@gateway/jobs';
import { countByHealth, countLostCredentials, HealthResults, LiteClusterStore } from '@gateway/lite';
import {
  CredentialMakers,
  createOpenstack,
  type DelegatedIdentity,
  Delegations,
  type Openstack,
  ServiceAccount,
} from '@gateway/openstack';
import { openRedis, type RedisConnections, readServerStates, reportRedisEvents } from '@gateway/redis';
import { type Closers, createClosers } from '@gateway/runtime';
import type { Logger, Metrics, Tracing } from '@gateway/telemetry';
import { TimeSeriesStore } from '@gateway/views';
import { AuditLog } from './audit/audit-log.ts';
import { Authenticator } from './auth/authenticator.ts';
import { InProcessTokenCache } from './auth/in-process-token-cache.ts';
import { IssuedTokens } from './auth/issued-tokens.ts';
import { LogInOrigins } from './auth/log-in-origins.ts';
import { Refusals } from './auth/refusals.ts';
import { SeenCatalog } from './auth/seen-catalog.ts';
import { Sessions } from './auth/sessions.ts';
import { StreamTickets } from './auth/stream-tickets.ts';
import { TokenCache } from './auth/token-cache.ts';
import { DependencyCheck } from './dependency-check.ts';
import { Idempotency } from './http/idempotency/idempotency.ts';
import { IdempotencyStore } from './http/idempotency/store.ts';
import { createRateLimits, type RateLimits } from './http/limits/rate-limits.ts';
import { createRefusalLimit } from './http/limits/refusal-limit.ts';
import { StreamLimits } from './http/limits/stream-limits.ts';
import { createBodyReader, type ReadBody } from './http/request/body.ts';
import { AcceptedEncodings } from './http/response/accepted-encoding.ts';
import { EventStreams } from './http/streams/event-streams.ts';
import { Locks } from './locks/locks.ts';

/** Everything that one api process uses. Created once and passed down. */
export interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null unless traces are configured. */
  readonly tracing: Tracing | null;
  readonly redis: RedisConnections;
  readonly openstack: Openstack;
  readonly cache: ListCache;
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly issuedTokens: IssuedTokens;
  readonly keptTokens: KeptTokens;
  readonly authenticator: Authenticator;
  readonly seenCatalog: SeenCatalog;
  readonly rateLimits: RateLimits;
  readonly logInOrigins: LogInOrigins;
  readonly dependencies: DependencyCheck;
  readonly readBody: ReadBody;
  readonly acceptedEncodings: AcceptedEncodings;
  readonly idempotency: Idempotency;
  readonly queues: Queues;
  readonly credentials: CredentialStore<DelegatedIdentity>;
  readonly serviceAccount: ServiceAccount;
  readonly delegations: Delegations;
  readonly credentialMakers: CredentialMakers;
  readonly producer: Producer<DelegatedIdentity>;
  readonly autoBackups: AutoBackups;
  readonly callbacks: Callbacks;
  readonly liteClusters: LiteClusterStore;
  readonly liteClusterHealth: HealthResults;
  readonly gpuQuotas: GpuQuotaStore;
  readonly timeSeries: TimeSeriesStore;
  readonly audit: AuditLog;
  readonly relay: ProgressRelay;
  readonly streams: EventStreams;
  readonly streamLimits: StreamLimits;
  readonly streamTickets: StreamTickets;
  /** Lets requests of all api processes change a resource of the cloud one after the other. */
  readonly locks: Locks;
  /** Closes what this process has opened, in reverse order. */
  readonly closers: Closers;
  /** True once the shutdown has begun. */
  draining: boolean;
  /** Aborted shortly before the shutdown ends. Requests that wait for a job then answer 504 with the job's id. */
  readonly waitAbort: AbortController;
}

export interface ContextParts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | null;
  clock?: Clock;
}

export function createContext(parts: ContextParts): AppContext {
  const { config, logger, metrics, tracing = null, clock = systemClock } = parts;
  const closers = createClosers();
  if (tracing !== null) closers.add('tracing', () => tracing.close());
  const redis = openRedis(
    { ...config.redis, sentinelPassword: config.secrets.sentinelPassword },
    'fail-fast',
    reportRedisEvents(logger, metrics),
  );
  closers.add('redis', () => redis.close());

  const openstack = createOpenstack({
    forwardsClientAddress: config.http.forwardClientAddress,
    identity: config.identity,
    upstream: config.upstream,
    timeLimits: config.timeLimits,
    clock,
    events: { onResponse: (call) => metrics.upstreamCall(call) },
    tracing,
  });
  closers.add('openstack', () => openstack.close());
  metrics.observeUpstream(async () => openstack.load());

  const sealer = new Sealer(config.secrets.sealingKeys);
  const logStoreUnavailable = (error: unknown) => logger.debug('The store is unavailable', { error });
  const cache = new ListCache(redis.cache, {
    processBytes: config.cache.processBytes,
    unsharedSeconds: config.cache.transitionSeconds,
    onRead: (list, outcome) => metrics.cacheRead({ list, outcome }),
    onCompress: (list, encoding) => metrics.listCompressed({ list, encoding }),
    onUnavailable: logStoreUnavailable,
  });
  const sessions = new Sessions(redis.store, config.session, clock);
  const invalidatedUsers = `${config.redis.keyPrefix}invalidated-users`;
  const tokenCache = new TokenCache(redis.store, invalidatedUsers, sealer, config.session, clock);
  const refusals = new Refusals(createRefusalLimit(redis.store, config.rateLimits.refusals), clock);
  const inProcessCache = new InProcessTokenCache({
    subscriber: redis.subscriber('invalidated-users'),
    channel: invalidatedUsers,
    sessions,
    clock,
    onInvalidate: () => refusals.clear(),
  });
  const logInOrigins = new LogInOrigins(redis.store);
  const authenticator = new Authenticator({
    openstack,
    sessions,
    tokenCache,
    inProcessCache,
    refusals,
    adminRole: config.identity.adminRole,
    clock,
    onStoreUnavailable: logStoreUnavailable,
  });

  const queues = new Queues(redis.queue, config.redis.keyPrefix);
  closers.add('queues', () => queues.close());
  metrics.observeQueueDepth(() => queues.depths());
  metrics.observeQueueLoad(() => readQueueLoads(redis.store, config.jobs.projectRunningLimit));
  metrics.observeLeftovers(() => countLeftovers(redis.store));
  metrics.observeRedis(() => readServerStates(redis));
  const liteClusters = new LiteClusterStore({
    redis: redis.store,
    replicatedWrite: redis.replicatedWrite,
    sealer,
  });
  const liteClusterHealth = new HealthResults(redis.store, config.lite.health.keepSeconds);
  if (config.services.lite) {
    metrics.observeClusters(() => countByHealth(liteClusters, liteClusterHealth, clock.now()));
    metrics.observeLostCredentials(() => countLostCredentials(liteClusters));
  }
  const serviceAccount = new ServiceAccount(openstack, config, clock, {
    onLogIn: (outcome) => metrics.serviceUserLoggedIn(outcome),
  });
  const delegations = new Delegations({
    openstack,
    serviceAccount,
    clock,
    onOutcome(outcome, error) {
      // Without a service user nothing is asked.
      if (outcome !== 'no_service_user') metrics.delegationAsked(outcome);
      if (outcome !== 'created') logger.warn('There is no delegation', { cause: outcome, error });
    },
  });
  const credentials = new CredentialStore<DelegatedIdentity>(redis.store, sealer);
  const producer = new Producer<DelegatedIdentity>(redis.store, queues, credentials, {
    waitingLimit: config.jobs.projectWaitingLimit,
    replicatedWrite: redis.replicatedWrite,
    tracing,
  });
  const autoBackups = createAutoBackups({
    redis: redis.store,
    replicatedWrite: redis.replicatedWrite,
    queues,
    sealer,
    delegations,
    adminRole: config.identity.adminRole,
    clock,
  });
  metrics.observeFailedAutoBackups(() => autoBackups.store.countFailed());
  const callbacks = new Callbacks({
    redis: redis.store,
    sealer,
    keepSeconds: config.jobs.keepSeconds,
    replicatedWrite: redis.replicatedWrite,
  });
  const relay = new ProgressRelay(redis.store, redis.blocking('relay'));
  relay.start();
  closers.add('relay', () => relay.close());
  const streams = new EventStreams({ relay, metrics, heartbeatMs: config.http.heartbeatSeconds * 1000 });

  const { idempotencySeconds, idempotencyRefusalSeconds, idempotencyKeysPerUser } = config.http;
  const idempotency = new Idempotency({
    redis: redis.store,
    store: new IdempotencyStore(redis, sealer, { keysPerCaller: idempotencyKeysPerUser }),
    logger,
    windowMs: idempotencySeconds * 1000,
    refusalMs: idempotencyRefusalSeconds * 1000,
    jobWindowMs: Math.min(idempotencySeconds, config.jobs.keepSeconds) * 1000,
  });
  closers.add('idempotency', async () => idempotency.close());

  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    redis,
    openstack,
    cache,
    sealer,
    sessions,
    issuedTokens: new IssuedTokens(redis.store, sealer),
    keptTokens: new KeptTokens(redis.store, sealer),
    authenticator,
    seenCatalog: new SeenCatalog(serviceAccount, clock),
    rateLimits: createRateLimits({ redis: redis.store, limits: config.rateLimits, logInOrigins, callbacks }),
    logInOrigins,
    dependencies: new DependencyCheck({ redis, openstack, clock }),
    queues,
    acceptedEncodings: new AcceptedEncodings(),
    readBody: createBodyReader(config.http.bodyLimitBytes),
    idempotency,
    credentials,
    serviceAccount,
    delegations,
    credentialMakers: new CredentialMakers(openstack, serviceAccount),
    producer,
    autoBackups,
    callbacks,
    liteClusters,
    liteClusterHealth,
    gpuQuotas: new GpuQuotaStore({ redis: redis.store, replicatedWrite: redis.replicatedWrite }),
    audit: new AuditLog({ redis: redis.store, logger, clock, ...config.audit }),
    timeSeries: new TimeSeriesStore({
      redis: redis.store,
      replicatedWrite: redis.replicatedWrite,
      keepSeconds: config.timeSeries.keepSeconds,
    }),
    relay,
    streams,
    streamLimits: new StreamLimits(config.http),
    streamTickets: new StreamTickets({
      redis: redis.store,
      sealer,
      clock,
      lifetimeSeconds: config.http.streamTicketSeconds,
    }),
    locks: new Locks(redis.store, { onUnavailable: logStoreUnavailable }),
    closers,
    draining: false,
    waitAbort: new AbortController(),
  };
}
