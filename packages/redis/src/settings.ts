export interface RedisSettings {
  /** Says who logs in, whether over TLS, and the database; where Sentinels or nodes are named, not the address. */
  url: string;
  cacheUrl: string;
  keyPrefix: string;
  /** `host:port` of the Sentinels that watch the pair; none: they are not asked. */
  sentinels?: readonly string[];
  /** Under which the Sentinels know the pair. */
  sentinelName?: string | null;
  sentinelPassword?: string | null;
  /** `host:port` of nodes of a Cluster, which name the others; none: it is no Cluster. */
  clusterNodes?: readonly string[];
  /** Replicas that must have a write that matters before it is relied on. */
  replicasToConfirm?: number;
}

/**
 * Connections by role. The request path fails fast: a caller is told within a moment that the store is away.
 * Workers wait for ever: a Redis that restarts costs their jobs time and nothing else.
 */
export type RedisPatience = 'fail-fast' | 'wait';

export interface Address {
  host: string;
  port: number;
}

/** Of `host:port`, an IPv6 address in brackets. */
export function toAddress(text: string): Address {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) };
}

/** What the URL says for servers that it does not name. */
export function loginOf(url: string): { username?: string; password?: string; tls?: object } {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
}
