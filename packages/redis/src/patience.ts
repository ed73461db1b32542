import type { ClusterOptions, RedisOptions } from 'ioredis';
import type { RedisPatience } from './settings.ts';

const CONNECT_MS = 2_000;
/** One timer a connection: a timer a command would cost more than the command. */
const FAIL_FAST_ANSWER_MS = 3_000;
/** A connection that is silent for longer is dead, though nobody has said so. Reads block for less. */
const WAIT_SILENCE_MS = 15_000;
const CLUSTER_RETRY_MS = 200;
const NO_END = 1_000_000_000;

export function retryDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 5), 1_000);
}

/** How one server is treated, or a pair behind Sentinels. */
export function serverPatience(patience: RedisPatience): RedisOptions {
  return {
    connectTimeout: CONNECT_MS,
    retryStrategy: retryDelayMs,
    ...(patience === 'fail-fast'
      ? // With a retry, what was on its way when the connection broke would wait until Redis is back.
        {
          maxRetriesPerRequest: 0,
          enableOfflineQueue: false,
          socketTimeout: FAIL_FAST_ANSWER_MS,
          reconnectOnError: (error) => isDemoted(error) && 1,
        }
      : {
          maxRetriesPerRequest: null,
          socketTimeout: WAIT_SILENCE_MS,
          // Refused, so sent again once the new primary is found.
          reconnectOnError: (error) => isDemoted(error) && 2,
        }),
  };
}

/** What a server says that is no longer the primary, or that the others have left behind. */
function isDemoted({ message }: Error): boolean {
  return message.startsWith('READONLY ') || message.startsWith('NOREPLICAS ');
}

/** How a Cluster is treated; its nodes are not reconnected one by one, but found again through the others. */
export function clusterPatience(patience: RedisPatience): ClusterOptions {
  // ioredis never settles a connect() that finds a part of the Cluster missing, and a worker of BullMQ would await
  // it for ever. Without the check, commands are told that the Cluster is down.
  const enableReadyCheck = false;
  return patience === 'fail-fast'
    ? {
        enableReadyCheck,
        clusterRetryStrategy: retryDelayMs,
        enableOfflineQueue: false,
        retryDelayOnFailover: 0,
        retryDelayOnClusterDown: 0,
        redisOptions: {
          connectTimeout: CONNECT_MS,
          maxRetriesPerRequest: 0,
          socketTimeout: FAIL_FAST_ANSWER_MS,
          // A node that still loads its data says so at once, in place of being waited for.
          enableReadyCheck: false,
        },
      }
    : {
        enableReadyCheck,
        clusterRetryStrategy: retryDelayMs,
        maxRedirections: NO_END,
        retryDelayOnFailover: CLUSTER_RETRY_MS,
        retryDelayOnClusterDown: CLUSTER_RETRY_MS,
        redisOptions: {
          connectTimeout: CONNECT_MS,
          maxRetriesPerRequest: null,
          socketTimeout: WAIT_SILENCE_MS,
        },
      };
}
