import type { LiteConfig } from './lite-config.ts';
import type { HttpConfig, ListenConfig, RedisConfig, TracingConfig } from './process-config.ts';

/**
 * The loaded configuration. The file has the same structure in snake_case; `config.example.yaml` documents every key.
 * Names of durations end with their unit.
 */
export interface Config {
  identity: IdentityConfig;
  upstream: UpstreamConfig;
  serviceUser: ServiceUserConfig | null;
  redis: RedisConfig;
  listen: ListenConfig;
  http: HttpConfig;
  site: { name: string; refreshIntervalMs: number };
  services: OptionalServices;
  session: SessionConfig;
  cache: CacheConfig;
  /** Requests per minute, by name of the limit; 0 disables a limit. */
  rateLimits: Record<RateLimitName, number>;
  timeLimits: TimeLimits;
  jobs: JobsConfig;
  autoBackup: AutoBackupConfig;
  instances: InstanceDefaults;
  fileStorage: FileStorageDefaults;
  builds: BuildDefaults;
  gpu: GpuConfig;
  timeSeries: { keepSeconds: number };
  audit: { keepSeconds: number; maxRecords: number };
  libraries: LibraryDefinition[];
  lite: LiteConfig;
  log: { level: 'error' | 'warn' | 'info' | 'debug'; format: 'auto' | 'json' | 'text' };
  tracing: TracingConfig;
  ops: OpsConfig;
  secrets: Secrets;
}

/** The operators' page. */
interface OpsConfig {
  enabled: boolean;
  /** Otherwise the page only shows. */
  allowChanges: boolean;
}

export interface IdentityConfig {
  /** URL of the identity service, with or without `/v3`. */
  url: string;
  region: string;
  interface: 'public' | 'internal' | 'admin';
  /** PEM bundle of certificate authorities for the services; null for the system's. */
  caFile: string | null;
  /** Endpoints that override the catalog, by service. `%(project_id)s` is replaced by the project's id. */
  endpoints: Partial<Record<ServiceName, string>>;
  /** Name of the role that makes a caller an administrator. */
  adminRole: string;
  /** Names of roles that only read. Callers without another role change nothing that the gateway itself keeps. */
  readerRoles: string[];
}

/** The load that one process puts on the services of the cloud. */
export interface UpstreamConfig {
  /** Calls in flight to each service; more wait. */
  maxConcurrentCalls: number;
  /** The same, for single services. */
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

/** The gateway's own user: trustee of delegations, and owner of prebuilt libraries' shares. Its password is in `Secrets`. */
interface ServiceUserConfig {
  username: string;
  userDomain: string;
  projectName: string;
  projectDomain: string;
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
  /** Cache lifetime of a validated token. A revoked token, removed role or disabled user stays valid at most this long. */
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
  securityGroupsSeconds: number;
  fileStoragesSeconds: number;
  librariesSeconds: number;
  /** Lists of the whole cloud, for administrators. */
  adminSeconds: number;
  /** Names of projects, roles, groups, and the hosts with GPUs, for administrators. */
  namesSeconds: number;
  /** Quotas of each project, for administrators: reading them takes calls for each project. */
  quotasSeconds: number;
  /** Maximum for a list with an item that is changing its state. */
  transitionSeconds: number;
  /** Maximum memory of the lists that an api process holds itself; 0 for none. */
  processBytes: number;
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
  | 'build'
  | 'opsChange';

export interface TimeLimits {
  /** One request to a cloud service. */
  upstreamRequestSeconds: number;
  /** How long a request to a cloud service waits while too many others are in flight. */
  upstreamQueueSeconds: number;
  /** How long a synchronous create request waits for its job. */
  syncCreateSeconds: number;
  /** Until a volume is `available`. */
  volumeSeconds: number;
  /** Until a backup is `available`. */
  backupSeconds: number;
  /** Until a share is `available`, and until an access rule is `active`. */
  shareSeconds: number;
  /** Until a server is `ACTIVE`. */
  serverSeconds: number;
  /** Until an attached volume is `in-use`. */
  attachSeconds: number;
  /** How long a step is retried while its service is unavailable or rate limits the gateway. */
  stepRetrySeconds: number;
  /** Undo of one step. */
  undoSeconds: number;
  /** How long a delete request waits until its job has sent the delete to the service. */
  deleteAcceptSeconds: number;
  /** How long a dashboard waits for each of its services. */
  dashboardPartSeconds: number;
  /** How long a change waits for a load balancer that is busy with another change. */
  loadBalancerSeconds: number;
  volumeReadySeconds: number;
  /** Until the builder of a library has reported and powered off. */
  buildSeconds: number;
  /** How long a build request waits until its job has created the share. */
  buildAcceptSeconds: number;
  /** Until the control node of a lite cluster has reported its installation. */
  liteCallbackSeconds: number;
  /** Until all nodes of a lite cluster are ready, after its workers are up. */
  liteReadySeconds: number;
  /** How long a scale request waits for its job. */
  liteScaleSeconds: number;
  /** Drain of a worker before its removal. */
  liteDrainSeconds: number;
}

export interface JobsConfig {
  /** The queues that a worker processes. */
  queues: QueueName[];
  /** Jobs that one worker process runs concurrently, by queue. */
  concurrency: Record<QueueName, number>;
  /** How long a job's record and events are stored after its end. */
  keepSeconds: number;
  /** Polling interval for a resource that is changing its state. */
  pollIntervalMs: number;
  /** Lifetime of a worker's lock on a job. A worker that does not renew the lock in this time counts as dead. */
  lockSeconds: number;
  /** Maximum runs of one job that fail through internal errors before the job is rolled back. */
  maxFailedRuns: number;
  /** Maximum running jobs of one project per queue; 0 for no limit. */
  projectRunningLimit: number;
  /** Maximum waiting jobs of one project per queue; 0 for no limit. */
  projectWaitingLimit: number;
  /** Maximum jobs of one project that failed or were cancelled and are kept; 0 for no limit. */
  projectUnsuccessfulLimit: number;
  /** Interval of the tasks that remove leftovers, restore lost jobs and keep auto backups going. */
  sweepSeconds: number;
  /** Maximum time in which a service may still carry out a call after the death of its sender. */
  lateCallSeconds: number;
  /** How long after a job's end to look for resources of calls with an unknown outcome. */
  recheckSeconds: number;
}

export type QueueName = 'provisioning' | 'cleanup' | 'maintenance';

interface AutoBackupConfig {
  /** The smallest time between two due times of an auto backup. */
  minIntervalSeconds: number;
}

interface InstanceDefaults {
  defaultNetworkId: string | null;
  externalNetworkId: string | null;
  /** `same`, `none`, or the name of a zone. */
  volumeZone: string;
  bootVolumeSizeGb: number;
  upperVolumeSizeGb: number;
  dynamicShareSizeGb: number;
  /** Operating system packages that an instance with a GPU installs at first boot if its image has no driver. */
  gpuDriverPackages: string[];
}

export interface FileStorageDefaults {
  /** Protocol of the shares that the gateway creates. */
  shareProto: 'NATIVEFS' | 'NFS';
  /** By protocol; null lets the service choose. */
  shareType: { nativefs: string | null; nfs: string | null };
  shareNetworkId: string | null;
}

/** Resources for building libraries, by id or by name. A library's own `build` overrides them. */
interface BuildDefaults {
  image: string | null;
  flavor: string | null;
  /** Null for the only network of the service user's project. */
  network: string | null;
  bootVolumeSizeGb: number;
}

export interface GpuConfig {
  /** Names of PCI devices, in addition to those that the gateway knows. */
  devices: GpuDeviceConfig[];
}

export interface GpuDeviceConfig {
  /** Four hexadecimal digits. */
  vendorId: string;
  deviceId: string;
  name: string;
  /** The audio function of a card, which is not counted. */
  isAudio: boolean;
  /** The names of the device in the compute service's configuration, which flavors name. */
  aliases: string[];
}

export interface LibraryBuild extends Pick<BuildDefaults, 'image' | 'flavor' | 'network'> {
  /** Shell commands, run as root in order before the packages are installed. */
  commands: string[];
}

export interface LibraryDefinition {
  id: string;
  name: string;
  version: string;
  /** Requirements for `pip`: `numpy`, `torch==2.5.1`. */
  packages: string[];
  dependsOn: string[];
  /** Supported systems (`os_distro` and version of the image, as `ubuntu-22.04`); empty for any. */
  osVersions: string[];
  pythonVersion: string | null;
  sizeGb: number;
  build: LibraryBuild;
}

export interface Secrets {
  /** From `GATEWAY_SEALING_KEYS` as `id:base64,id:base64`; 32 bytes each. The first seals, all open. */
  sealingKeys: { id: string; key: Buffer }[];
  /** From `GATEWAY_SERVICE_PASSWORD`; required with a service user. */
  servicePassword: string | null;
  /** From `REDIS_SENTINEL_PASSWORD`; null if the Sentinels have no password of their own. */
  sentinelPassword: string | null;
}
