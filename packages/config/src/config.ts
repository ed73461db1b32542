/**
 * The configuration as the code sees it. The file has the same tree in snake_case; `config.example.yaml`
 * documents every key. Durations carry their unit in the name.
 */
export interface Config {
  identity: IdentityConfig;
  serviceUser: ServiceUserConfig | null;
  redis: RedisConfig;
  listen: ListenConfig;
  http: HttpConfig;
  site: { name: string; refreshIntervalMs: number };
  services: ServiceSwitches;
  session: SessionConfig;
  cache: CacheConfig;
  /** Requests per minute by limit name; 0 switches a limit off. */
  rateLimits: Record<RateLimitName, number>;
  timeLimits: TimeLimits;
  jobs: JobsConfig;
  instances: InstanceDefaults;
  fileStorage: FileStorageDefaults;
  builds: BuildDefaults;
  libraries: LibraryDefinition[];
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'auto' | 'json' | 'text' };
  secrets: Secrets;
}

export interface IdentityConfig {
  /** Of the identity service, with or without `/v3`. */
  url: string;
  region: string;
  interface: 'public' | 'internal' | 'admin';
  /** A PEM bundle that upstream certificates are checked against; null for the system's. */
  caFile: string | null;
  /** Endpoints that win over the catalog's, by service. `%(project_id)s` is filled in. */
  endpoints: Partial<Record<ServiceName, string>>;
  /** Name of the role that makes a caller an administrator. */
  adminRole: string;
}

/** The services by the gateway's own neutral names. */
export type ServiceName =
  | 'identity'
  | 'compute'
  | 'image'
  | 'blockStorage'
  | 'network'
  | 'sharedFileSystem'
  | 'loadBalancer'
  | 'containerInfra'
  | 'container'
  | 'placement';

/** The gateway's own user: for trusts, and for the rules of administrators' shares. Its password is a secret. */
export interface ServiceUserConfig {
  username: string;
  userDomain: string;
  projectName: string;
  projectDomain: string;
}

export interface RedisConfig {
  /**
   * Queues, progress, records, sessions, counters: `noeviction` and AOF. With `sentinels` or `clusterNodes` only
   * its scheme, user, password and database count.
   */
  url: string;
  /** `host:port` of the Sentinels that know where the store is; none: it is where `url` says. */
  sentinels: string[];
  /** What the Sentinels call the store. */
  sentinelName: string | null;
  /** `host:port` of some nodes of the Redis Cluster that is the store; none: it is no Cluster. */
  clusterNodes: string[];
  /** A job is taken, and a step of it is gone on from, once this many replicas know. */
  replicasToConfirm: number;
  /** Cached lists; may be a Redis that evicts. The same as `url` unless set. */
  cacheUrl: string;
  /** Put before every key, so that several gateways can share one Redis. */
  keyPrefix: string;
}

export interface ListenConfig {
  host: string;
  apiPort: number;
  /** For the worker's health and metrics. */
  workerPort: number;
}

export interface HttpConfig {
  bodyLimitBytes: number;
  /** How long a request may take to come, from its first byte to the last one of its body. */
  requestTimeoutSeconds: number;
  corsOrigins: string[];
  /** Addresses or networks whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** Addresses or networks that may read the metrics; empty: any. */
  metricsAllowedFrom: string[];
  /** How long a stopping process may take to finish what it has in hand. */
  drainTimeoutSeconds: number;
  /** Pause between the comment lines that keep an idle event stream open. */
  heartbeatSeconds: number;
  /** Event streams that one user may have open at one api process; 0 for any number. */
  streamsPerUser: number;
  /** Event streams that one api process may have open; 0 for any number. */
  streamsPerProcess: number;
  /** How long a ticket for an event stream is good. */
  streamTicketSeconds: number;
  /** How long an `Idempotency-Key` stands for the request that it first came with. */
  idempotencySeconds: number;
  /** How long a refusal (4xx) is kept for its `Idempotency-Key`. */
  idempotencyRefusalSeconds: number;
  /** Keys that one user may have in use; 0 for any number. */
  idempotencyKeysPerUser: number;
  /** Where machines in the cloud reach the api; null when they do not. */
  publicUrl: string | null;
  /** The PEM of the authority behind `publicUrl`, for machines that do not know it. */
  publicCaFile: string | null;
}

/** The optional services. */
export interface ServiceSwitches {
  lite: boolean;
  sharedFs: boolean;
  containerInfra: boolean;
  container: boolean;
}

export interface SessionConfig {
  lengthSeconds: number;
  warningSeconds: number;
  absoluteSeconds: number;
  /** How long a revoked token, a lost role or a disabled user still serves at most, whichever cache answers. */
  tokenCacheSeconds: number;
}

/** Lifetimes of the cached lists, in seconds. */
export interface CacheConfig {
  instancesSeconds: number;
  volumesSeconds: number;
  imagesSeconds: number;
  flavorsSeconds: number;
  limitsSeconds: number;
  networksSeconds: number;
  /** A list of which a row is changing its state. */
  transitionSeconds: number;
}

export type RateLimitName =
  | 'login'
  | 'loginFailures'
  | 'loginFailuresByName'
  | 'refusals'
  | 'password'
  | 'scopeSwitch'
  | 'instanceCreate'
  | 'volumeCreate'
  | 'fileStorageCreate'
  | 'containerCreate'
  | 'managedClusterCreate'
  | 'liteCreate'
  | 'liteScale'
  | 'liteHealthCheck'
  | 'streamTicket'
  | 'callback'
  | 'build';

export interface TimeLimits {
  /** One request to a cloud service. */
  upstreamRequestSeconds: number;
  /** How long a synchronous creation waits for its job. */
  syncCreateSeconds: number;
  /** A volume until `available`. */
  volumeSeconds: number;
  /** A share until `available`, and an access rule until `active`. */
  shareSeconds: number;
  /** A server until ACTIVE. */
  serverSeconds: number;
  /** An attachment until `in-use`. */
  attachSeconds: number;
  /** A step whose service is away or asks for patience is tried again for so long. */
  stepRetrySeconds: number;
  /** Undoing one step. */
  undoSeconds: number;
  /** A delete request waits this long for its clean-up job to have made the service take the delete. */
  deleteAcceptSeconds: number;
  /** The builder of a library until it has reported and powered off. */
  buildSeconds: number;
  /** A request for a build waits this long for its job to have made the share. */
  buildAcceptSeconds: number;
}

export interface JobsConfig {
  /** The queues that a worker takes jobs from. */
  queues: QueueName[];
  /** Jobs that one worker process runs at once, by queue. */
  concurrency: Record<QueueName, number>;
  /** How long a job's record and events are kept after its end. */
  keepSeconds: number;
  /** Pause between looks at a resource that is changing state. */
  pollIntervalMs: number;
  /** A worker that has not renewed its hold on a job for this long is taken for dead. */
  lockSeconds: number;
  /** A job whose caller's token has less than this left gets a delegation to go on with; 0 for none. */
  delegateBelowSeconds: number;
  /** Runs of one job that may break off by faults of the gateway before it is taken back. */
  faultyRuns: number;
  /** Jobs of one project that run at once on one queue; 0 for any number. */
  projectRunningLimit: number;
  /** Jobs of one project that may wait on one queue before more are refused; 0 for any number. */
  projectWaitingLimit: number;
  /** Pause between two rounds that remove what was left over and take up what was lost. */
  sweepSeconds: number;
  /** How long after the death of a call's sender the service may still carry out the call. */
  lateCallSeconds: number;
  /** How long after a job's end to look for what a service made late, where the effect of a call was not known. */
  lookAgainSeconds: number;
}

export type QueueName = 'provisioning' | 'cleanup' | 'upkeep';

export interface InstanceDefaults {
  defaultNetworkId: string | null;
  externalNetworkId: string | null;
  bootVolumeSizeGb: number;
  upperVolumeSizeGb: number;
  dynamicShareSizeGb: number;
  /** Packages of the operating system that an instance with a GPU installs at first boot, unless it has its driver. */
  gpuDriverPackages: string[];
}

export interface FileStorageDefaults {
  /** Protocol of the shares the gateway makes. */
  shareProto: 'NATIVEFS' | 'NFS';
  /** By protocol; null lets the service choose. */
  shareType: { nativefs: string | null; nfs: string | null };
  shareNetworkId: string | null;
}

/** Where libraries are built, by id or by name; what a library says itself wins. */
export interface BuildDefaults {
  image: string | null;
  flavor: string | null;
  /** Null for the service user's only network. */
  network: string | null;
  bootVolumeSizeGb: number;
}

export interface LibraryBuild extends Pick<BuildDefaults, 'image' | 'flavor' | 'network'> {
  /** Shell, run as root in their order before the packages are installed. */
  commands: string[];
}

export interface LibraryDefinition {
  id: string;
  name: string;
  version: string;
  /** As `pip` takes them: `numpy`, `torch==2.5.1`. */
  packages: string[];
  dependsOn: string[];
  /** Images (`os_distro` and version, as `ubuntu-22.04`) it runs on; empty: any. */
  osVersions: string[];
  pythonVersion: string | null;
  sizeGb: number;
  build: LibraryBuild;
}

export interface Secrets {
  /** First seals, all open; from `GATEWAY_SEALING_KEYS` as `id:base64,id:base64`. 32 bytes each. */
  sealingKeys: { id: string; key: Buffer }[];
  /** `GATEWAY_SERVICE_PASSWORD`; needed when a service user is configured. */
  servicePassword: string | null;
  /** `REDIS_SENTINEL_PASSWORD`; the Sentinels' own, where they have one. */
  sentinelPassword: string | null;
}
