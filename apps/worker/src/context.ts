import { type AutoBackups, createAutoBackups } from '@gateway/auto-backup';
import { ListCache } from '@gateway/cache';
import type { Config } from '@gateway/config';
import { Sealer, systemClock } from '@gateway/core';
import { Callbacks, CredentialStore, GpuQuotaStore, KeptTokens, Producer, Queues } from '@gateway/jobs';
import { HealthLock, HealthResults, LiteClusterStore } from '@gateway/lite';
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
import { WorkerSlots } from './worker-slots.ts';

/** The dependencies of a worker process; built once and passed down. */
export interface WorkerContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Null unless traces are configured. */
  readonly tracing: Tracing | null;
  readonly redis: RedisConnections;
  readonly openstack: Openstack;
  readonly cache: ListCache;
  readonly sealer: Sealer;
  readonly credentials: CredentialStore<DelegatedIdentity>;
  readonly callbacks: Callbacks;
  readonly liteClusters: LiteClusterStore;
  readonly clusterHealth: HealthResults;
  readonly clusterHealthLock: HealthLock;
  readonly gpuQuotas: GpuQuotaStore;
  readonly timeSeries: TimeSeriesStore;
  readonly queues: Queues;
  readonly slots: WorkerSlots;
  readonly serviceAccount: ServiceAccount;
  readonly delegations: Delegations;
  readonly credentialMakers: CredentialMakers;
  readonly keptTokens: KeptTokens;
  readonly producer: Producer<DelegatedIdentity>;
  readonly autoBackups: AutoBackups;
  /** Aborted when the process stops: running jobs are released at their next safe point. */
  readonly stopping: AbortController;
  readonly closers: Closers;
}

export interface ContextParts {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | null;
}

export function createContext({ config, logger, metrics, tracing = null }: ContextParts): WorkerContext {
  const closers = createClosers();
  if (tracing !== null) closers.add('tracing', () => tracing.close());
  const redis = openRedis(
    { ...config.redis, sentinelPassword: config.secrets.sentinelPassword },
    'wait',
    reportRedisEvents(logger, metrics),
  );
  closers.add('redis', () => redis.close());
  const openstack = createOpenstack({
    identity: config.identity,
    upstream: config.upstream,
    timeLimits: config.timeLimits,
    events: { onResponse: (call) => metrics.upstreamCall(call) },
    tracing,
  });
  closers.add('openstack', () => openstack.close());
  metrics.observeUpstream(async () => openstack.load());
  metrics.observeRedis(() => readServerStates(redis));
  const serviceAccount = new ServiceAccount(openstack, config, systemClock, {
    onLogIn: (outcome) => metrics.serviceUserLoggedIn(outcome),
  });
  const sealer = new Sealer(config.secrets.sealingKeys);
  const queues = new Queues(redis.queue, config.redis.keyPrefix);
  closers.add('queues', () => queues.close());
  const credentials = new CredentialStore<DelegatedIdentity>(redis.store, sealer);
  const delegations = new Delegations({ openstack, serviceAccount });
  const { replicatedWrite } = redis;
  return {
    config,
    logger,
    metrics,
    tracing,
    redis,
    openstack,
    cache: new ListCache(redis.cache, {
      onRead: (list, outcome) => metrics.cacheRead({ list, outcome }),
      onUnavailable: (error) => logger.debug('The cache is unavailable', { error }),
    }),
    sealer,
    credentials,
    callbacks: new Callbacks({
      redis: redis.store,
      sealer,
      keepSeconds: config.jobs.keepSeconds,
      replicatedWrite,
    }),
    liteClusters: new LiteClusterStore({ redis: redis.store, replicatedWrite, sealer }),
    clusterHealth: new HealthResults(redis.store, config.lite.health.keepSeconds),
    clusterHealthLock: new HealthLock(redis.store),
    gpuQuotas: new GpuQuotaStore({ redis: redis.store, replicatedWrite }),
    timeSeries: new TimeSeriesStore({
      redis: redis.store,
      replicatedWrite,
      keepSeconds: config.timeSeries.keepSeconds,
    }),
    queues,
    slots: new WorkerSlots(config.jobs.concurrency),
    serviceAccount,
    delegations,
    credentialMakers: new CredentialMakers(openstack, serviceAccount),
    keptTokens: new KeptTokens(redis.store, sealer),
    producer: new Producer(redis.store, queues, credentials, {
      waitingLimit: config.jobs.projectWaitingLimit,
      replicatedWrite,
      tracing,
    }),
    autoBackups: createAutoBackups({
      redis: redis.store,
      replicatedWrite,
      queues,
      sealer,
      delegations,
      adminRole: config.identity.adminRole,
    }),
    stopping: new AbortController(),
    closers,
  };
}
