import { Redis, type RedisOptions } from 'ioredis';

/**
 * Connections by role. The request path fails fast: a caller is told within a moment that the store is away.
 * Workers wait for ever: a Redis that restarts costs their jobs time and nothing else.
 */
export type RedisPatience = 'fail-fast' | 'wait';

export interface RedisSettings {
  url: string;
  cacheUrl: string;
  keyPrefix: string;
}

/** What happens to a connection, for the log; `error` comes once per outage and not once per attempt. */
export interface RedisEvents {
  onAway?(connection: string, reason: string): void;
  onReady?(connection: string): void;
}

export interface RedisConnections {
  /** Records, progress, sessions, counters. */
  readonly store: Redis;
  /** Cached lists; the same connection as `store` unless a second Redis is configured. */
  readonly cache: Redis;
  /** For queues, which put their own prefix before their keys. */
  readonly queue: Redis;
  /** A connection of its own for a reader that blocks, for 5 s at a time at most; it waits for ever. */
  blocking(name: string): Redis;
  /** True when the store takes commands now. */
  isReady(): boolean;
  close(): Promise<void>;
}

const FAIL_FAST_CONNECT_MS = 2_000;
/** One timer a connection: a timer a command would cost more than the command. */
const FAIL_FAST_ANSWER_MS = 3_000;
/** A connection that is silent for longer is dead, though nobody has said so. */
const BLOCKED_SILENCE_MS = 15_000;

export function openRedis(
  settings: RedisSettings,
  patience: RedisPatience,
  events: RedisEvents = {},
): RedisConnections {
  const opened: Redis[] = [];

  function open(name: string, url: string, how: RedisPatience, extra: RedisOptions = {}): Redis {
    const redis = new Redis(url, {
      connectionName: name,
      connectTimeout: FAIL_FAST_CONNECT_MS,
      retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 5), 1_000),
      ...(how === 'fail-fast'
        ? // With a retry, what was on its way when the connection broke would wait until Redis is back.
          { maxRetriesPerRequest: 0, enableOfflineQueue: false, socketTimeout: FAIL_FAST_ANSWER_MS }
        : { maxRetriesPerRequest: null }),
      ...extra,
    });
    let away = false;
    redis.on('error', (error: Error) => {
      if (!away) events.onAway?.(name, error.message);
      away = true;
    });
    redis.on('ready', () => {
      away = false;
      events.onReady?.(name);
    });
    opened.push(redis);
    return redis;
  }

  // Reads that a request makes side by side travel in one round trip.
  const prefixed = { keyPrefix: settings.keyPrefix, enableAutoPipelining: true };
  const store = open('store', settings.url, patience, prefixed);
  const cache =
    settings.cacheUrl === settings.url ? store : open('cache', settings.cacheUrl, 'fail-fast', prefixed);

  return {
    store,
    cache,
    queue: open('queue', settings.url, patience),
    blocking: (name) =>
      open(name, settings.url, 'wait', { keyPrefix: settings.keyPrefix, socketTimeout: BLOCKED_SILENCE_MS }),
    isReady: () => store.status === 'ready',
    async close() {
      for (const redis of opened.reverse()) redis.disconnect();
    },
  };
}

/** Resolves when the connection takes commands, or with false when `timeoutMs` have passed. */
export async function waitUntilReady(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(false), timeoutMs);
    const onReady = () => finish(true);
    function finish(ready: boolean) {
      clearTimeout(timer);
      redis.off('ready', onReady);
      resolve(ready);
    }
    redis.once('ready', onReady);
  });
}

/** True when Redis answers in time; a Redis that hangs counts as away. */
export async function answersWithin(redis: Redis, timeoutMs: number): Promise<boolean> {
  if (redis.status !== 'ready') return false;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const answer = redis.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
