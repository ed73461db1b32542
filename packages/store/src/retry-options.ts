import type { ClusterOptions, RedisOptions } from 'ioredis';
import type { RedisRetryPolicy } from './settings.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** The timeout applies to the connection, because a timer per command would cost more than the command. */
const FAIL_FAST_SOCKET_TIMEOUT_MS = 3_000;
/** Longer than any blocking read. A connection without data for this time is dead. */
const WAIT_SOCKET_TIMEOUT_MS = 15_000;
const CLUSTER_RETRY_MS = 200;
const UNLIMITED = 1_000_000_000;

export function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), 1_000);
}

/** Options for a single server or a pair behind Sentinels. */
export function serverRetryOptions(retryPolicy: RedisRetryPolicy): RedisOptions {
  return {
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: retryDelayMs,
    ...(retryPolicy === 'fail-fast'
      ? // A retry would make commands in flight wait until Redis is available again.
        {
          maxRetriesPerRequest: 0,
          enableOfflineQueue: false,
          socketTimeout: FAIL_FAST_SOCKET_TIMEOUT_MS,
          reconnectOnError: (error) => isDemoted(error) && 1,
        }
      : {
          maxRetriesPerRequest: null,
          socketTimeout: WAIT_SOCKET_TIMEOUT_MS,
          // The server rejected the command, so ioredis may resend it to the new primary.
          reconnectOnError: (error) => isDemoted(error) && 2,
        }),
  };
}

/** Whether the server is no longer the primary, or has lost its replicas. */
function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY ') || message.startsWith('NOREPLICAS ');
}

/**
 * Options for a Cluster. Its nodes do not reconnect separately; the Cluster discovers them
 * again through other nodes.
 */
export function clusterRetryOptions(retryPolicy: RedisRetryPolicy): ClusterOptions {
  // With the check, ioredis never settles a connect() while a part of the Cluster is missing, and a BullMQ
  // worker would await it forever. Without the check, commands fail with CLUSTERDOWN.
  const enableReadyCheck = false;
  return retryPolicy === 'fail-fast'
    ? {
        enableReadyCheck,
        clusterRetryStrategy: retryDelayMs,
        enableOfflineQueue: false,
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        redisOptions: {
          connectTimeout: CONNECT_TIMEOUT_MS,
          maxRetriesPerRequest: 0,
          socketTimeout: FAIL_FAST_SOCKET_TIMEOUT_MS,
          // Without the check, a node that is loading its data rejects commands at once.
          enableReadyCheck: false,
        },
      }
    : {
        enableReadyCheck,
        clusterRetryStrategy: retryDelayMs,
        maxRedirections: UNLIMITED,
        retryDelayOnFailover: CLUSTER_RETRY_MS,
        retryDelayOnClusterDown: CLUSTER_RETRY_MS,
        redisOptions: {
          connectTimeout: CONNECT_TIMEOUT_MS,
          maxRetriesPerRequest: null,
          socketTimeout: WAIT_SOCKET_TIMEOUT_MS,
        },
      };
}
