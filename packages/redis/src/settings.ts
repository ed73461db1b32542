export interface RedisSettings {
  /** User, password, TLS and database. Its address is ignored with Sentinels or Cluster nodes. */
  url: string;
  cacheUrl: string;
  keyPrefix: string;
  /** `host:port` of each Sentinel; empty when Sentinels are not used. */
  sentinels?: readonly string[];
  /** Name of the primary in the Sentinels' configuration. */
  sentinelName?: string | null;
  sentinelPassword?: string | null;
  /** `host:port` of some Cluster nodes, from which the others are discovered; empty without a Cluster. */
  clusterNodes?: readonly string[];
  /** Number of replicas that must acknowledge a write that a failover must not lose. */
  waitForReplicas?: number;
}

/**
 * The behaviour of commands while Redis is unavailable. The api uses `fail-fast`, so that a caller
 * soon gets an error. Workers use `wait`, which retries without limit, so that a restart of Redis
 * only delays their jobs.
 */
export type RedisRetryPolicy = 'fail-fast' | 'wait';

interface Address {
  host: string;
  port: number;
}

/** Parses `host:port`, with IPv6 addresses in brackets. */
export function parseAddress(text: string): Address {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

/**
 * The user, password and TLS options of a URL, for servers whose addresses come from Sentinels or a Cluster.
 */
export function loginFromUrl(url: string): { username?: string; password?: string; tls?: object } {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
