import { systemClock } from '@gateway/core';
import { createClosers, readTlsFiles } from '@gateway/platform';
import {
  openRedis,
  type RedisConnections,
  type RedisRetryPolicy,
  readClockOffset,
  readServerStates,
  reportRedisEvents,
} from '@gateway/store';
import { type Cloud, type CloudOptions, openCloud } from './open-cloud.ts';
import type { ProcessParts, StartedProcess } from './process-parts.ts';
import { createStores, type Stores } from './stores.ts';

/** The dependencies that api and worker share. Opened once and passed down. */
export interface Dependencies extends StartedProcess, Cloud, Stores {
  readonly redis: RedisConnections;
}

interface DependencyOptions extends CloudOptions {
  /** The behaviour of commands while the store is unavailable. */
  retryPolicy: RedisRetryPolicy;
}

export function openDependencies(
  { config, logger, metrics, tracing = null, clock = systemClock }: ProcessParts,
  { retryPolicy, ...cloudOptions }: DependencyOptions,
): Dependencies {
  const closers = createClosers();
  const started = { config, logger, metrics, tracing, clock, closers };
  if (tracing !== null) closers.add('tracing', () => tracing.close());
  const redis = openRedis(
    {
      ...config.redis,
      sentinelPassword: config.secrets.sentinelPassword,
      tls: { ...readTlsFiles(config.redis), servername: config.redis.serverName ?? undefined },
    },
    retryPolicy,
    reportRedisEvents(logger, metrics),
  );
  closers.add('redis', () => redis.close());
  metrics.observeRedis(() => readServerStates(redis));
  metrics.observeClockOffset(() => readClockOffset(redis.store, () => clock.now()));
  const cloud = openCloud(started, cloudOptions);
  return { ...started, redis, ...cloud, ...createStores(started, redis, cloud) };
}
