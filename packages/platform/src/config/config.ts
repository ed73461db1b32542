import type { FirstBootConfig } from './first-boot-config.ts';
import type { BuildDefaults, LibraryDefinition } from './library-config.ts';
import type { LiteConfig } from './lite-config.ts';
import type {
  HttpConfig,
  ListenConfig,
  MetricsConfig,
  PublicEndpointConfig,
  RedisConfig,
  TracingConfig,
} from './process-config.ts';
import type { SsoConfig } from './sso-config.ts';
import type { TimeLimits } from './time-limits.ts';
import type { TlsFiles } from './tls-files.ts';

/**
 * The loaded configuration. The file has the same structure in snake_case; `config.example.yaml` documents
 * every key. Names of durations end with their unit.
 */
export interface Config {
  gateway: GatewayConfig;
  identity: IdentityConfig;
  sso: SsoConfig;
  upstream: UpstreamConfig;
  serviceUser: ServiceUserConfig | null;
  redis: RedisConfig;
  listen: ListenConfig;
  http: HttpConfig;
  publicEndpoint: PublicEndpointConfig;
  site: SiteConfig;
  services: OptionalServices;
  session: SessionConfig;
  cache: CacheConfig;
  events: EventsConfig;
  /** Requests per minute, by name of the limit; 0 disables a limit. */
  rateLimits: Record<RateLimitName, number> & { sharedNetworks: SharedNetwork[] };
  timeLimits: TimeLimits;
  jobs: JobsConfig;
  autoBackup: AutoBackupConfig;
  instances: InstanceDefaults;
  fileStorage: FileStorageDefaults;
  builds: BuildDefaults;
  firstBoot: FirstBootConfig;
  gpu: GpuConfig;
  timeSeries: { keepSeconds: number };
  audit: { keepSeconds: number; maxRecords: number };
  /** Of each project. */
  history: { keepSeconds: number; maxRecords: number };
  libraries: LibraryDefinition[];
  lite: LiteConfig;
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'auto' | 'json' | 'text' };
  metrics: MetricsConfig;
  tracing: TracingConfig;
  ops: OpsConfig;
  secrets: Secrets;
}

/** Distinguishes this gateway from others in metrics, log lines and traces. */
interface GatewayConfig {
  name: string;
}

/** The operators' page. */
interface OpsConfig {
  enabled: boolean;
  /** Otherwise the page is read-only. */
  allowChanges: boolean;
}

/** The files are for all services. */
export interface IdentityConfig extends TlsFiles {
  /** URL of the identity service, with or without `/v3`. */
  url: string;
  region: string;
  interface: 'public' | 'internal' | 'admin';
  /** Endpoints that override the catalog, by service. `%(project_id)s` is replaced by the project's id. */
  endpoints: Partial<Record<ServiceName, string>>;
  /** Name of the role that makes a caller an administrator, in the projects of `adminScope`. */
  adminRole: string;
  adminScope: AdminScope;
  /** Names of read-only roles. Callers with no other role cannot change what the gateway itself stores. */
  readerRoles: string[];
}

/** The projects in which the administrator's role counts: every project if nothing is selected. */
export interface AdminScope {
  /** Each by its id, or by its name in a domain. */
  projects: { project: string; domain: string }[];
  /** Names or ids of domains, for all of their projects. */
  domains: string[];
  /** Whether the project counts that the identity service itself calls the administrators'. */
  adminProject: boolean;
}

/** The way to the cloud's services, and limits on the load that one process puts on them. */
export interface UpstreamConfig {
  /** URL of an HTTP proxy, which may contain a user and a password; null for direct connections. */
  proxy: string | null;
  /** Hosts, domains, addresses and networks that are reached without it; loopback addresses always are. */
  noProxy: string[];
  /** Maximum calls in flight to each service. Further calls wait. */
  maxConcurrentCalls: number;
  /** The same, for specific services. */
  services: Partial<Record<ServiceName, number>>;
}

/** The services by the gateway's neutral names. */
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
  | 'placement'
  | 'orchestration'
  | 'keyManager';

/**
 * The gateway's own user: trustee of delegations, and owner of the shares of prebuilt libraries. Its
 * password is in `Secrets`.
 */
interface ServiceUserConfig {
  username: string;
  userDomain: string;
  projectName: string;
  projectDomain: string;
  /** How often each process logs in as this user, to see whether it can. */
  checkSeconds: number;
}

interface SiteConfig {
  name: string;
  refreshIntervalMs: number;
  /** Gateways of the same operator in other regions, which a dashboard can offer. */
  sisters: SisterConfig[];
}

export interface SisterConfig {
  /** Name of the site, shown to users. */
  name: string;
  region: string;
  /** URL of its api, as browsers reach it. */
  url: string;
}

/** Which optional services are enabled. */
export interface OptionalServices {
  lite: boolean;
  sharedFs: boolean;
  containerInfra: boolean;
  container: boolean;
}

export interface SessionConfig {
  lengthSeconds: number;
  warningSeconds: number;
  absoluteSeconds: number;
  /**
   * Cache lifetime of a validated token. A revoked token, a removed role or a disabled user is still accepted
   * for at most this time.
   */
  tokenCacheSeconds: number;
  /** Whether browsers may have their sessions in cookies. */
  cookies: boolean;
}

/** What listeners learn of changes in their projects (`GET /api/events`). */
interface EventsConfig {
  /** The time between two polls of a list of a project while somebody listens; 0 for hardly any. */
  intervalSeconds: {
    instances: number;
    volumes: number;
    snapshots: number;
    backups: number;
    images: number;
    keypairs: number;
    networks: number;
    securityGroups: number;
    loadBalancers: number;
    fileStorages: number;
    containers: number;
    clusters: number;
    liteClusters: number;
  };
  /** The same for a list with a row in transition. */
  transitionSeconds: number;
  /** How many changes the log of a project keeps for listeners that return. */
  logLength: number;
  /** How long changes are logged after the last listener has left. */
  keepSeconds: number;
}

/** Lifetimes of the cached lists, in seconds. */
export interface CacheConfig {
  instancesSeconds: number;
  volumesSeconds: number;
  imagesSeconds: number;
  flavorsSeconds: number;
  limitsSeconds: number;
  networksSeconds: number;
  securityGroupsSeconds: number;
  fileStoragesSeconds: number;
  librariesSeconds: number;
  /** Lists of the whole cloud, for administrators. */
  adminSeconds: number;
  /** Names of projects, roles, groups, and the hosts with GPUs, for administrators. */
  namesSeconds: number;
  /** Quotas of each project, for administrators. Reading them takes several calls for each project. */
  quotasSeconds: number;
  /** What forms offer: zones, types, templates, share networks and networks with a DNS domain. */
  choicesSeconds: number;
  /** Maximum lifetime of a list with an item in transition. */
  transitionSeconds: number;
  /** How long an item counts as in transition, also for the polls of events. */
  transitionLimitSeconds: number;
  /** Maximum memory for lists in an api process; 0 for none. */
  processBytes: number;
}

/** A network whose users share addresses. Limits by address are `factor` times as high there. */
interface SharedNetwork {
  /** An address or a network. */
  network: string;
  factor: number;
}

export type RateLimitName =
  | 'login'
  | 'loginFailuresByAddress'
  | 'loginFailures'
  | 'loginFailuresByName'
  | 'passcodeFailures'
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
  | 'build'
  | 'opsChange';

export interface JobsConfig {
  /** The queues whose jobs a worker runs. */
  queues: QueueName[];
  /** Jobs that one worker process runs concurrently, by queue. */
  concurrency: Record<QueueName, number>;
  /** How long a job's record and events are stored after its end. */
  keepSeconds: number;
  /** Polling interval for a resource in transition. */
  pollIntervalMs: number;
  /** Lifetime of a worker's lock on a job. A worker that does not renew the lock in time counts as dead. */
  lockSeconds: number;
  /** Maximum runs of one job that fail through internal errors. After that the job is rolled back. */
  maxFailedRuns: number;
  /** Maximum runs of one job in a row that are lost with their workers, without progress; 0 for no limit. */
  maxLostRuns: number;
  /**
   * Maximum running jobs of one project per queue; 0 for no limit, null for one less than a worker runs at
   * once (`runningLimits`).
   */
  projectRunningLimit: number | null;
  /** Maximum waiting jobs of one project per queue; 0 for no limit. */
  projectWaitingLimit: number;
  /** Maximum stored jobs of one project that failed or were cancelled; 0 for no limit. */
  projectUnsuccessfulLimit: number;
  /** Interval of the tasks that remove leftovers, restore lost jobs and keep auto backups going. */
  sweepSeconds: number;
  /** Maximum time in which a service may still perform a call after its sender has died. */
  lateCallSeconds: number;
  /** How long after a job's end to search for resources of calls with an unknown outcome. */
  recheckSeconds: number;
  /** A store with unfinished jobs that was last used longer ago than this counts as an older copy. */
  oldStoreSeconds: number;
}

export type QueueName = 'provisioning' | 'cleanup' | 'maintenance';

interface AutoBackupConfig {
  /** The minimum time between two runs of an auto backup. */
  minIntervalSeconds: number;
  /** How long after its due time a run begins at most; 0 for at once. */
  spreadSeconds: number;
  /** Maximum runs at once of all projects that were due; 0 for no limit. */
  runningLimit: number;
}

interface InstanceDefaults {
  defaultNetworkId: string | null;
  externalNetworkId: string | null;
  /** `same`, `none`, or the name of a zone. */
  volumeZone: string;
  bootVolumeSizeGb: number;
  upperVolumeSizeGb: number;
  dynamicShareSizeGb: number;
  /** How long the state of an instance's workspace is kept after the instance last reported it. */
  workspaceKeepSeconds: number;
  /**
   * Operating system packages that an instance with a GPU installs at first boot if its image has no driver.
   */
  gpuDriverPackages: string[];
  /** Whether all hosts keep the disks of instances in one storage, of which placement does not know. */
  disksAreShared: boolean;
}

export interface FileStorageDefaults {
  /** Protocol of the shares that the gateway creates. */
  shareProto: 'NATIVEFS' | 'NFS';
  /** By protocol; null lets the service choose. */
  shareType: { nativefs: string | null; nfs: string | null };
  shareNetworkId: string | null;
}

export interface GpuConfig {
  /** PCI devices in addition to those that the gateway knows. */
  devices: GpuDeviceConfig[];
}

export interface GpuDeviceConfig {
  /** Four hexadecimal digits. */
  vendorId: string;
  deviceId: string;
  name: string;
  /** Whether this is the audio or another function of a card that is no GPU, which is not counted. */
  isAudio: boolean;
  /** The device's aliases in the compute service's configuration, which flavors refer to. */
  aliases: string[];
}

export interface Secrets {
  /** From `GATEWAY_SEALING_KEYS` as `id:base64,id:base64`; 32 bytes each. The first seals, all open. */
  sealingKeys: { id: string; key: Buffer }[];
  /** From `GATEWAY_SERVICE_PASSWORD`; required with a service user. */
  servicePassword: string | null;
  /** From `REDIS_SENTINEL_PASSWORD`; null if the Sentinels have no password of their own. */
  sentinelPassword: string | null;
  /** From `OTEL_EXPORTER_OTLP_HEADERS`: headers for the receiver of traces, as `name=value,name=value`. */
  traceHeaders: string | null;
  /** Log-ins of the mirrors of container registries, which all nodes of lite clusters get. */
  registryCredentials: RegistryCredential[];
}

export interface RegistryCredential {
  /** Host of the mirror, with its port as in the endpoint. */
  host: string;
  username: string;
  /** One line of text. */
  password: string;
}
