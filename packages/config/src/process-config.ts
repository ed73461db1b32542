/** How the processes reach Redis and the receiver of traces, and how clients reach the processes. */

export interface RedisConfig {
  /**
   * Stores queues, progress, records, sessions and counters; needs `noeviction` and AOF. With `sentinels` or
   * `clusterNodes`, only its scheme, user, password and database are used.
   */
  url: string;
  /** `host:port` of the Sentinels of this Redis; empty for a connection to `url`. */
  sentinels: string[];
  /** The Sentinels' name for the primary and its replicas. */
  sentinelName: string | null;
  /** `host:port` of some nodes of a Redis Cluster; empty without a Cluster. */
  clusterNodes: string[];
  /**
   * Number of replicas that must acknowledge a new job, and each write of its journal, before work continues.
   */
  waitForReplicas: number;
  /** Stores cached lists; may evict keys. Defaults to `url`. */
  cacheUrl: string;
  /** Prefix of every key, so that several gateways can share one Redis. */
  keyPrefix: string;
}

export interface ListenConfig {
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
  /** Addresses or networks that may read the metrics; empty for any. */
  metricsAllowedFrom: string[];
  /** How long a stopping process waits for its requests or jobs in progress. */
  drainTimeoutSeconds: number;
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
  /** URL of the api for machines in the cloud; null if they cannot reach it. */
  publicUrl: string | null;
  /** PEM file of the certificate authority for `publicUrl`, for machines that do not trust it by default. */
  publicCaFile: string | null;
}

export interface TracingConfig {
  /** URL of an OTLP/HTTP receiver, without `/v1/traces`; null for no traces. */
  endpoint: string | null;
  /** Sampling ratio of traces, from 0 to 1, unless the caller has decided. */
  sampleRatio: number;
}
