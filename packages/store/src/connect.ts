import { Cluster, type RedisOptions, Redis as SingleRedis } from 'ioredis';
import type { Redis } from './redis.ts';
import { surviveRepeatedErrors } from './repeated-errors.ts';
import { clusterRetryOptions, retryDelayMs, serverRetryOptions } from './retry-options.ts';
import {
  loginFromUrl,
  parseAddress,
  type RedisRetryPolicy,
  type RedisSettings,
  type RedisTls,
  tlsOptions,
} from './settings.ts';
import { skipUnknownInfo } from './unknown-info.ts';

export interface ConnectOptions {
  name: string;
  retryPolicy: RedisRetryPolicy;
  /** '' for none. */
  keyPrefix: string;
  /** Sends concurrent reads of a request in one round trip; not available in a Cluster. */
  enableAutoPipelining?: boolean;
}

const SENTINEL_TIMEOUT_MS = 2_000;
const SUBSCRIBER_PING_MS = 5_000;

surviveRepeatedErrors();
skipUnknownInfo();

/** Connects to the store: a single server, a pair behind Sentinels or a Cluster. */
export function connectStore(settings: RedisSettings, options: ConnectOptions): Redis {
  if (isCluster(settings)) return connectCluster(settings, options);
  return connectServer(settings.url, options, storeOptions(settings));
}

/** Connects to the server of a URL, or to the primary that the Sentinels report. */
export function connectServer(
  url: string,
  { name, retryPolicy, keyPrefix, enableAutoPipelining = false }: ConnectOptions,
  further: RedisOptions = {},
): SingleRedis {
  return new SingleRedis(url, {
    connectionName: name,
    keyPrefix,
    enableAutoPipelining,
    // The cache, which reads most often, batches its reads itself.
    autoPipeliningIgnoredCommands: ['mget'],
    ...serverRetryOptions(retryPolicy),
    ...further,
  });
}

/**
 * A connection for Pub/Sub that closes when it cannot receive messages. ioredis's own subscriber
 * for a Cluster moves to another node silently. This one stays connected to one node, and closes
 * before it moves to the next.
 */
export function connectSubscriber(settings: RedisSettings, name: string): SingleRedis {
  const redis = isCluster(settings)
    ? connectNode(settings, name)
    : connectServer(settings.url, { name, retryPolicy: 'wait', keyPrefix: '' }, storeOptions(settings));
  // A subscriber sends no commands, so only a ping detects a dead connection.
  const timer = setInterval(() => void redis.ping().catch(() => {}), SUBSCRIBER_PING_MS).unref();
  redis.once('end', () => clearInterval(timer));
  return redis;
}

function connectNode(settings: RedisSettings, name: string): SingleRedis {
  const nodes = (settings.clusterNodes ?? []).map(parseAddress);
  const redis: SingleRedis = new SingleRedis({
    ...serverRetryOptions('wait'),
    ...loginFromUrl(settings.url),
    ...tlsOptions(settings.url, settings.tls),
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

function storeOptions(settings: RedisSettings): RedisOptions {
  const { tls } = tlsOptions(settings.url, settings.tls);
  return { ...(tls !== undefined && { tls }), ...sentinelOptions(settings, tls) };
}

function sentinelOptions(
  { sentinels = [], sentinelName, sentinelUsername, sentinelPassword }: RedisSettings,
  tls: RedisTls | undefined,
): RedisOptions {
  if (sentinels.length === 0) return {};
  return {
    sentinels: sentinels.map(parseAddress),
    name: sentinelName ?? undefined,
    sentinelUsername: sentinelUsername ?? undefined,
    sentinelPassword: sentinelPassword ?? undefined,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: retryDelayMs,
    // The socket timeout detects a primary that hangs. ioredis's own detector closes a connection permanently
    // if a failover is reported during the lookup of the new primary.
    failoverDetector: false,
    ...(tls !== undefined && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

/** Does not use auto-pipelining: ioredis would resend a whole pipeline when one slot has moved. */
function connectCluster(settings: RedisSettings, { name, retryPolicy, keyPrefix }: ConnectOptions): Cluster {
  const tls = tlsOptions(settings.url, settings.tls);
  const { redisOptions, ...options } = clusterRetryOptions(retryPolicy);
  const cluster = new Cluster((settings.clusterNodes ?? []).map(parseAddress), {
    ...options,
    keyPrefix,
    redisOptions: { ...redisOptions, ...loginFromUrl(settings.url), ...tls, connectionName: name },
    // TLS certificates name hosts, so host names must not be resolved to addresses here.
    ...(tls.tls !== undefined && { dnsLookup: (host, found) => found(null, host) }),
  });
  connectNodesEarly(cluster);
  return cluster;
}

/**
 * Connects to nodes when they become known, because their first command would fail with the policy
 * `fail-fast`. Includes replicas, because each may become the primary.
 */
function connectNodesEarly(cluster: Cluster): void {
  function connectSoon(node: SingleRedis) {
    // Waits, because ioredis may be about to connect for the command that made the node known.
    setImmediate(() => {
      if (node.status === 'wait') void node.connect().catch(() => {});
    });
  }
  cluster.on('ready', () => cluster.nodes().forEach(connectSoon));
  cluster.on('+node', (node: SingleRedis) => {
    if (cluster.status === 'ready') connectSoon(node);
  });
}
