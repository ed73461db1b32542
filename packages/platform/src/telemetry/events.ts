interface RequestFinished {
  method: string;
  /** The route's pattern, never the requested path. */
  route: string;
  status: number;
  durationSeconds: number;
}

interface UpstreamCall {
  service: string;
  operation: string;
  /** Null without a response. */
  status: number | null;
  durationSeconds: number;
}

interface OddRecord {
  service: string;
  /** The name of its declaration. */
  record: string;
}

export interface CacheRead {
  list: string;
  /** Where the response came from: the memory of the process, the shared cache, or the cloud. */
  outcome: 'process_hit' | 'shared_hit' | 'miss';
}

interface ListCompressed {
  list: string;
  encoding: string;
}

interface JobBegun {
  type: string;
  /** Time since the request for the job. */
  waitSeconds: number;
}

/**
 * Why a job has failed. `refused`: it is the user's doing, such as a quota. `fault`: of the gateway or of the
 * cloud.
 */
export type FailureCause = 'refused' | 'fault';

export interface JobFinished {
  type: string;
  outcome: 'completed' | 'failed' | 'cancelled';
  /** `none` unless it has failed. */
  cause: FailureCause | 'none';
  durationSeconds: number;
}

export interface StepFinished {
  type: string;
  step: string;
  outcome: 'completed' | 'failed' | 'undone' | 'left';
  durationSeconds: number;
}

interface FirstBootEnded {
  result: 'ready' | 'failed';
  /** The stage in which the boot ended. */
  stage: string;
}

/** Number of jobs by queue and state. */
export type QueueDepths = Record<string, Record<string, number>>;

/** The load of the workers, by queue. */
export type QueueLoads = Record<
  string,
  { workers: number; slots: number; wantedSlots: number; oldestWaitingSeconds: number }
>;

/** The calls of this process to cloud services, by service. */
export type UpstreamLoads = Record<string, { inFlight: number; waiting: number }>;

/** The Redis servers of this process, by connection. */
export type RedisServers = Record<
  string,
  {
    /** Whether it accepts writes. */
    isUp: boolean;
    /** For which of all reasons it refuses them. Null if it does not answer. */
    refusals: Record<string, boolean> | null;
    /** Null if the servers do not report it. `limitBytes` is null without a limit. */
    memory: { usedBytes: number; limitBytes: number | null } | null;
  }
>;

/** The scheduled tasks, by name. */
export type TaskTimes = Record<string, { lastSuccessSeconds: number; intervalSeconds: number }>;

/** `delivered` and `dropped` count since the store is in use. */
interface AuditStreamState {
  delivered: number;
  dropped: number;
  waiting: number;
  /** For how long the first waiting event has waited; 0 if none waits. */
  oldestSeconds: number;
}

interface ClusterCounts {
  byHealth: Record<string, number>;
  /** Clusters whose configuration file has a certificate that expires soon, or has expired. */
  certificatesExpiring: number;
  /** Days until the first of these certificates ends, negative afterwards; null if no end is known. */
  certificateDaysLeft: number | null;
}

/** What this process knows about its settings of the cloud; null while it does not know. */
export interface CloudChecks {
  serviceUserWorks: boolean | null;
  serviceUserIsAdministrator: boolean | null;
  regionInCatalog: boolean | null;
}

/** `refused`: the identity service rejects the user or the password. `failed`: it did not respond. */
export type LogInOutcome = 'succeeded' | 'refused' | 'failed';

/** `failed`: the identity service did not respond. The others are the reasons for a refusal. */
export type DelegationOutcome =
  | 'created'
  | 'application_credential'
  | 'single_sign_on'
  | 'refused'
  | 'failed';

/** `retried`: an attempt has failed, and another one follows. `failed`: the event is not sent any more. */
export type WebhookOutcome = 'delivered' | 'retried' | 'failed';

/** Whose events a stream has: those of a job, or what changes in a project. */
export type StreamKind = 'job' | 'project';

/** `changed`: the poll has found differences. */
export type PollOutcome = 'changed' | 'unchanged' | 'failed';

interface PollEnded {
  /** The type of the rows of the list. */
  type: string;
  outcome: PollOutcome;
}

/** Records measurements. Labels contain no ids, names or addresses. */
export interface Metrics {
  requestFinished(event: RequestFinished): void;
  upstreamCall(event: UpstreamCall): void;
  /** Called for each row that is left out of a list because it cannot be read. */
  oddRecord(event: OddRecord): void;
  cacheRead(event: CacheRead): void;
  listCompressed(event: ListCompressed): void;
  /** Called once per job. */
  jobBegun(event: JobBegun): void;
  jobFinished(event: JobFinished): void;
  stepFinished(event: StepFinished): void;
  streamOpened(kind: StreamKind): void;
  streamClosed(kind: StreamKind): void;
  /** Called for each poll of a list of a project with listeners. */
  pollEnded(event: PollEnded): void;
  /** Called for each boot of an instance with libraries. A stage that the options do not name is `other`. */
  firstBootEnded(event: FirstBootEnded): void;
  serviceUserLoggedIn(outcome: LogInOutcome): void;
  /** Called for each attempt to create a delegation for a job or an auto backup. */
  delegationAsked(outcome: DelegationOutcome): void;
  webhookDelivered(outcome: WebhookOutcome, count: number): void;
  /** Called when something that has to be kept is sealed with a key that this process does not have. */
  sealingKeyMissing(keyId: string): void;
  /** Called when the process has got this key. */
  sealingKeyFound(keyId: string): void;
  /** Called after each attempt to reload the configuration. */
  configReloaded(isSuccessful: boolean): void;
  /** Called with the end of the certificate that the listener has from now on. */
  listenerCertificateUsed(end: Date): void;
  /** Called when replicas of Redis begin or cease to acknowledge writes too late. */
  replicasLate(areLate: boolean): void;
  /** Called when the process learns that jobs are held because the store may be old, or no longer are. */
  storeHeld(isHeld: boolean): void;
  // The readers below are called at each scrape. If a reader fails or takes too long,
  // its metrics are omitted.
  /** The events of the audit stream, if there is a receiver. */
  observeAuditStream(read: () => Promise<AuditStreamState>): void;
  /** The number of leftovers. */
  observeLeftovers(read: () => Promise<number>): void;
  /** By the reason for which they are held. */
  observeHeldJobs(read: () => Promise<Record<string, number>>): void;
  observeQueueDepth(read: () => Promise<QueueDepths>): void;
  observeQueueLoad(read: () => Promise<QueueLoads>): void;
  observeUpstream(read: () => Promise<UpstreamLoads>): void;
  observeRedis(read: () => Promise<RedisServers>): void;
  observeClusters(read: () => Promise<ClusterCounts>): void;
  /** The number of lite clusters whose credential no longer works. */
  observeLostCredentials(read: () => Promise<number>): void;
  /** The number of auto backups whose last run failed. */
  observeFailedAutoBackups(read: () => Promise<number>): void;
  /** How long the first auto backup that is due has waited for others to end, in seconds; 0 if none waits. */
  observeWaitingAutoBackups(read: () => Promise<number>): void;
  /** For how many seconds the oldest event has waited for a webhook, by whose it is; 0 if none waits. */
  observeWebhooks(read: () => Promise<Record<'projects' | 'site', number>>): void;
  /** When each scheduled task last succeeded, in seconds since the epoch; 0 if it never has. */
  observeScheduledTasks(read: () => Promise<TaskTimes>): void;
  /** Whether each queue is paused. */
  observePausedQueues(read: () => Promise<Record<string, boolean>>): void;
  /** Whether the gateway accepts no changes. */
  observeReadOnlyMode(read: () => Promise<boolean>): void;
  /** By how many seconds the clock of this process is ahead of that of Redis. */
  observeClockOffset(read: () => Promise<number>): void;
  observeCloudChecks(read: () => Promise<CloudChecks>): void;
  /** All metrics, in the text exposition format. */
  metricsText(): Promise<{ contentType: string; body: string }>;
}
