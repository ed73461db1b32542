/** How to verify servers, and the client's own certificate, in PEM. */
export interface RedisTls {
  /** Certificate authorities instead of those of the system. */
  ca?: string;
  cert?: string;
  key?: string;
  /** The name in the servers' certificates, if it is not the host in their addresses. */
  servername?: string;
}

export interface RedisSettings {
  /** User, password, TLS and database. Its address is ignored with Sentinels or Cluster nodes. */
  url: string;
  cacheUrl: string;
  keyPrefix: string;
  /** `host:port` of each Sentinel; empty when Sentinels are not used. */
  sentinels?: readonly string[];
  /** Name of the primary in the Sentinels' configuration. */
  sentinelName?: string | null;
  sentinelUsername?: string | null;
  sentinelPassword?: string | null;
  /** `host:port` of some Cluster nodes, from which the others are discovered; empty without a Cluster. */
  clusterNodes?: readonly string[];
  /** For `rediss:` URLs. The name of the server does not apply to `cacheUrl`. */
  tls?: RedisTls;
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

/** The user and password of a URL, for servers whose addresses come from Sentinels or a Cluster. */
export function loginFromUrl(url: string): { username?: string; password?: string } {
  const { username, password } = new URL(url);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

/** TLS options for the servers of a URL; none unless it begins with `rediss:`. */
export function tlsOptions(url: string, tls: RedisTls = {}): { tls?: RedisTls } {
  return new URL(url).protocol === 'rediss:' ? { tls } : {};
}
