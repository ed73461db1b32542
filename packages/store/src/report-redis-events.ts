import type { RedisEvents } from './connections.ts';

/** The part of a logger that this package needs. */
interface RedisLog {
  warn(message: string, meta?: Record<string, unknown>): void;
  info(message: string, meta?: Record<string, unknown>): void;
}

/** The part of the metrics that this package needs. */
interface RedisMetrics {
  replicasLate(areLate: boolean): void;
}

/** Logs and measures outages. docs/operations.md lists these messages for operators. */
export function reportRedisEvents(log: RedisLog, metrics: RedisMetrics): RedisEvents {
  return {
    onUnavailable: (connection, reason) => log.warn('Redis is unavailable', { connection, reason }),
    onReady: (connection) => log.info('Redis is ready', { connection }),
    onUnacknowledged: () => {
      metrics.replicasLate(true);
      log.warn('Redis replicas do not acknowledge writes in time: a failover may lose writes');
    },
    onAcknowledged: () => {
      metrics.replicasLate(false);
      log.info('Redis replicas acknowledge writes in time again');
    },
  };
}
