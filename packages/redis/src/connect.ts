import { Cluster, type RedisOptions, Redis as SingleRedis } from 'ioredis';
import type { Redis } from './client.ts';
import { clusterPatience, retryDelayMs, serverPatience } from './patience.ts';
import { loginOf, type RedisPatience, type RedisSettings, toAddress } from './settings.ts';

export interface ConnectOptions {
  name: string;
  patience: RedisPatience;
  /** '' for none. */
  keyPrefix: string;
  /** Whether reads that a request makes side by side travel in one round trip; not in a Cluster. */
  enableAutoPipelining?: boolean;
}

const SENTINEL_ANSWER_MS = 2_000;
const LISTENER_PING_MS = 5_000;

/** A connection to the store, whichever kind it is. */
export function connectStore(settings: RedisSettings, options: ConnectOptions): Redis {
  if (isCluster(settings)) return connectCluster(settings, options);
  return connectServer(settings.url, options, sentinelOptions(settings));
}

/** A connection to the server of a URL, or to the one that Sentinels name. */
export function connectServer(
  url: string,
  { name, patience, keyPrefix, enableAutoPipelining = false }: ConnectOptions,
  further: RedisOptions = {},
): SingleRedis {
  return new SingleRedis(url, {
    connectionName: name,
    keyPrefix,
    enableAutoPipelining,
    ...serverPatience(patience),
    ...further,
  });
}

/**
 * A connection that hears what is published, and that closes when it can not. A Cluster's own subscriber moves
 * to another node without a word; here it is one node, the next one when that goes away.
 */
export function connectListener(settings: RedisSettings, name: string): SingleRedis {
  const redis = isCluster(settings)
    ? connectNode(settings, name)
    : connectServer(settings.url, { name, patience: 'wait', keyPrefix: '' }, sentinelOptions(settings));
  // Who only listens has nothing to miss an answer to.
  const timer = setInterval(() => void redis.ping().catch(() => {}), LISTENER_PING_MS).unref();
  redis.once('end', () => clearInterval(timer));
  return redis;
}

function connectNode(settings: RedisSettings, name: string): SingleRedis {
  const nodes = (settings.clusterNodes ?? []).map(toAddress);
  const redis: SingleRedis = new SingleRedis({
    ...serverPatience('wait'),
    ...loginOf(settings.url),
    ...nodes[0],
    connectionName: name,
    retryStrategy: (attempt) => {
      Object.assign(redis.options, nodes[attempt % nodes.length]);
      return retryDelayMs(attempt);
    },
  });
  return redis;
}

function isCluster({ clusterNodes = [] }: RedisSettings): boolean {
  return clusterNodes.length > 0;
}

function sentinelOptions({
  url,
  sentinels = [],
  sentinelName,
  sentinelPassword,
}: RedisSettings): RedisOptions {
  if (sentinels.length === 0) return {};
  const { tls } = loginOf(url);
  return {
    sentinels: sentinels.map(toAddress),
    name: sentinelName ?? undefined,
    sentinelPassword: sentinelPassword ?? undefined,
    sentinelCommandTimeout: SENTINEL_ANSWER_MS,
    sentinelRetryStrategy: retryDelayMs,
    // A primary that hangs is found by its silence: with ioredis's own detector, the news of a failover that comes
    // while it looks for the new primary ends a connection for good.
    failoverDetector: false,
    ...(tls !== undefined && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** Never with automatic pipelines: one that meets a moved slot would be sent again as a whole. */
function connectCluster(settings: RedisSettings, { name, patience, keyPrefix }: ConnectOptions): Cluster {
  const login = loginOf(settings.url);
  const { redisOptions, ...options } = clusterPatience(patience);
  const cluster = new Cluster((settings.clusterNodes ?? []).map(toAddress), {
    ...options,
    keyPrefix,
    redisOptions: { ...redisOptions, ...login, connectionName: name },
    // Certificates are made out to names, which are not to be lost to a lookup.
    ...(login.tls !== undefined && { dnsLookup: (host, found) => found(null, host) }),
  });
  connectNodesEarly(cluster);
  return cluster;
}

/**
 * A node is connected when it becomes known and not with its first command: where nobody waits, those that come
 * meanwhile would fail. Replicas too: each may be the primary with the next command.
 */
function connectNodesEarly(cluster: Cluster): void {
  function connectSoon(node: SingleRedis) {
    // What comes right now may be the command that the node was made for.
    setImmediate(() => {
      if (node.status === 'wait') void node.connect().catch(() => {});
    });
  }
  cluster.on('ready', () => cluster.nodes().forEach(connectSoon));
  cluster.on('+node', (node: SingleRedis) => {
    if (cluster.status === 'ready') connectSoon(node);
  });
}
