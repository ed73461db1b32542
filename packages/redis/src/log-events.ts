import type { RedisEvents } from './connections.ts';

/** As much of a logger as it takes to tell of a Redis. */
export interface RedisLog {
  warn(message: string, meta?: Record<string, unknown>): void;
  info(message: string, meta?: Record<string, unknown>): void;
}

/** Tells the log what operators watch for, see docs/operations.md. */
export function logEvents(log: RedisLog): RedisEvents {
  return {
    onAway: (connection, reason) => log.warn('Redis is away', { connection, reason }),
    onReady: (connection) => log.info('Redis is ready', { connection }),
    onUnconfirmed: () => log.warn('The replicas of Redis do not confirm in time: a failover may lose writes'),
    onConfirmed: () => log.info('The replicas of Redis confirm again'),
  };
}
