/** How the processes reach Redis and the receiver of traces, and how others reach the processes. */

import type { TlsFiles } from './tls-files.ts';

/** The files are for `rediss:` URLs, those of the store and of the cache. */
export interface RedisConfig extends TlsFiles {
  /**
   * Stores queues, progress, records, sessions and counters; needs `noeviction` and AOF. With `sentinels` or
   * `clusterNodes`, only its scheme, user, password and database are used.
   */
  url: string;
  /** `host:port` of the Sentinels of this Redis; empty for a connection to `url`. */
  sentinels: string[];
  /** The Sentinels' name for the primary and its replicas. */
  sentinelName: string | null;
  /** Null if the Sentinels know no users. */
  sentinelUsername: string | null;
  /** `host:port` of some nodes of a Redis Cluster; empty without a Cluster. */
  clusterNodes: string[];
  /**
   * Number of replicas that must acknowledge a new job, and each write of its journal, before work continues.
   */
  waitForReplicas: number;
  /** Stores cached lists; may evict keys. Defaults to `url`. */
  cacheUrl: string;
  /** The name in the certificates of the store's servers and Sentinels; null for their addresses. */
  serverName: string | null;
  /** Prefix of every key, so that several gateways can share one Redis. */
  keyPrefix: string;
}

/** With a certificate and its key, both roles listen with TLS. */
export interface ListenConfig extends Pick<TlsFiles, 'certFile' | 'keyFile'> {
  host: string;
  apiPort: number;
  /** Port of the worker's health and metrics. */
  workerPort: number;
}

export interface HttpConfig {
  bodyLimitBytes: number;
  /** Maximum time to receive a request, from its first byte to the last byte of its body. */
  requestTimeoutSeconds: number;
  corsOrigins: string[];
  /** Addresses or networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[];
  /** Whether services get the client's address as `X-Forwarded-For`. */
  forwardClientAddress: boolean;
  /** Interval of the comment lines that keep an idle event stream open. */
  heartbeatSeconds: number;
  /** Maximum open event streams of one user at one api process; 0 for no limit. */
  streamsPerUser: number;
  /** Maximum open event streams of one api process; 0 for no limit. */
  streamsPerProcess: number;
  /** Lifetime of a ticket for an event stream. */
  streamTicketSeconds: number;
  /** How long an `Idempotency-Key` and its response are stored. */
  idempotencySeconds: number;
  /** How long a 4xx response to an `Idempotency-Key` is stored. */
  idempotencyRefusalSeconds: number;
  /** Maximum stored keys of one user; 0 for no limit. */
  idempotencyKeysPerUser: number;
}

/** The api as browsers and machines in the cloud reach it. */
export interface PublicEndpointConfig {
  /** Null if machines in the cloud cannot reach the api. */
  url: string | null;
  /** PEM file of the certificate authority for `url`, for machines that do not trust it by default. */
  caFile: string | null;
}

export interface MetricsConfig {
  /** Addresses or networks that may read the metrics of any process; empty for any. */
  allowedFrom: string[];
}

export interface TracingConfig {
  /** URL of an OTLP/HTTP receiver, without `/v1/traces`; null for no traces. */
  endpoint: string | null;
  /** Sampling ratio of traces, from 0 to 1, unless the caller has decided. */
  sampleRatio: number;
}
