import type { Redis, SingleRedis } from './client.ts';
import { type Confirmed, createConfirmed } from './confirmed.ts';
import { type ConnectOptions, connectListener, connectServer, connectStore } from './connect.ts';
import { type OutageEvents, tellOutages } from './outages.ts';
import type { RedisPatience, RedisSettings } from './settings.ts';

export interface RedisEvents extends OutageEvents {
  /** Replicas do not confirm writes in time, so that a failover may lose some; once per outage. */
  onUnconfirmed?(): void;
  onConfirmed?(): void;
}

export interface RedisConnections {
  /** Records, progress, sessions, counters. */
  readonly store: Redis;
  /** Cached lists; the same connection as `store` unless a second Redis is configured. */
  readonly cache: Redis;
  /** For queues, which put their own prefix before their keys. */
  readonly queue: Redis;
  /** For the writes that must outlive a failover. */
  readonly confirmed: Confirmed;
  /** A connection of its own for a reader that blocks, for 5 s at a time at most; it waits for ever. */
  blocking(name: string): Redis;
  /** A connection of its own that hears what is published, without a prefix; it is closed while it can not. */
  listening(name: string): SingleRedis;
  /** True when the store takes commands now. */
  isReady(): boolean;
  close(): Promise<void>;
}

export function openRedis(
  settings: RedisSettings,
  patience: RedisPatience,
  events: RedisEvents = {},
): RedisConnections {
  const { keyPrefix } = settings;
  const opened: Redis[] = [];

  function keep<R extends Redis>(name: string, redis: R): R {
    tellOutages(name, redis, events);
    opened.push(redis);
    return redis;
  }
  const open = (options: ConnectOptions) => keep(options.name, connectStore(settings, options));

  const store = open({ name: 'store', patience, keyPrefix, enableAutoPipelining: true });
  const cache = settings.cacheUrl === settings.url ? store : keep('cache', connectCache());
  function connectCache(): SingleRedis {
    const options: ConnectOptions = { name: 'cache', patience: 'fail-fast', keyPrefix };
    return connectServer(settings.cacheUrl, { ...options, enableAutoPipelining: true });
  }
  return {
    store,
    cache,
    queue: open({ name: 'queue', patience, keyPrefix: '' }),
    confirmed: createConfirmed({
      replicas: settings.replicasToConfirm ?? 0,
      patience,
      onUnconfirmed: events.onUnconfirmed,
      onConfirmed: events.onConfirmed,
    }),
    blocking: (name) => open({ name, patience: 'wait', keyPrefix }),
    listening: (name) => keep(name, connectListener(settings, name)),
    isReady: () => store.status === 'ready',
    async close() {
      for (const redis of opened.reverse()) redis.disconnect();
    },
  };
}
