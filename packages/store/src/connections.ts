import { type ConnectOptions, connectServer, connectStore, connectSubscriber } from './connect.ts';
import type { Redis, SingleRedis } from './redis.ts';
import { createReplicatedWrite, setReplicatedWrite } from './replicated-write.ts';
import { type OutageEvents, reportOutages } from './report-outages.ts';
import { type RedisRetryPolicy, type RedisSettings, tlsOptions } from './settings.ts';

export interface RedisEvents extends OutageEvents {
  /**
   * Called once per outage when replicas stop acknowledging writes in time, so that a failover may lose some.
   */
  onUnacknowledged?(): void;
  /** Called when replicas acknowledge in time again. */
  onAcknowledged?(): void;
}

export interface RedisConnections {
  /** Records, progress, sessions, counters. The only one whose replicated writes wait for replicas. */
  readonly store: Redis;
  /** Cached lists; the same connection as `store` unless a second Redis is configured. */
  readonly cache: Redis;
  /** For BullMQ queues, which add their own key prefix. */
  readonly queue: Redis;
  /** Opens a separate connection for blocking reads of at most 5 s; retries without limit. */
  blocking(name: string): Redis;
  /**
   * Opens a separate connection for Pub/Sub, without a key prefix. It is closed while it
   * cannot receive messages.
   */
  subscriber(name: string): SingleRedis;
  /** True when the store accepts commands now. */
  isReady(): boolean;
  close(): Promise<void>;
}

export function openRedis(
  settings: RedisSettings,
  retryPolicy: RedisRetryPolicy,
  events: RedisEvents = {},
): RedisConnections {
  const { keyPrefix } = settings;
  const opened: Redis[] = [];

  function track<R extends Redis>(name: string, redis: R): R {
    reportOutages(name, redis, events);
    opened.push(redis);
    return redis;
  }
  const open = (options: ConnectOptions) => track(options.name, connectStore(settings, options));

  const store = open({ name: 'store', retryPolicy, keyPrefix, enableAutoPipelining: true });
  const { waitForReplicas: replicas = 0 } = settings;
  if (replicas > 0) setReplicatedWrite(store, createReplicatedWrite({ replicas, retryPolicy, ...events }));
  const cache = settings.cacheUrl === settings.url ? store : track('cache', connectCache());
  function connectCache(): SingleRedis {
    const options: ConnectOptions = { name: 'cache', retryPolicy: 'fail-fast', keyPrefix };
    const { servername: _, ...tls } = settings.tls ?? {};
    return connectServer(
      settings.cacheUrl,
      { ...options, enableAutoPipelining: true },
      tlsOptions(settings.cacheUrl, tls),
    );
  }
  return {
    store,
    cache,
    queue: open({ name: 'queue', retryPolicy, keyPrefix: '' }),
    blocking: (name) => open({ name, retryPolicy: 'wait', keyPrefix }),
    subscriber: (name) => track(name, connectSubscriber(settings, name)),
    isReady: () => store.status === 'ready',
    async close() {
      for (const redis of opened.reverse()) redis.disconnect();
    },
  };
}
