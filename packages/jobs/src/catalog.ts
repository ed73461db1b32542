import type { QueueName } from '@gateway/config';
import type {
  ClusterCreation,
  ClusterDeletion,
  ClusterHealthCheck,
  ClusterMessage,
  ClusterScaling,
} from './lite-jobs.ts';
import type { ProgressMessage } from './progress-message.ts';
import type { QuotaMessage, QuotaUpdate } from './quota-jobs.ts';

/**
 * The payload and the progress messages of each type of job. Producer, processors and streams take their types from
 * here, so a type of job without a processor does not compile.
 */
export interface JobCatalog {
  'instance.create': { payload: InstanceCreation; message: InstanceMessage };
  'instance.delete': { payload: InstanceDeletion; message: InstanceMessage };
  'leftover.remove': { payload: LeftoverRemoval; message: LeftoverMessage };
  'library.build': { payload: LibraryBuilding; message: BuildMessage };
  'lite.create': { payload: ClusterCreation; message: ClusterMessage };
  'lite.delete': { payload: ClusterDeletion; message: ClusterMessage };
  'lite.health': { payload: ClusterHealthCheck; message: ProgressMessage };
  'lite.scale': { payload: ClusterScaling; message: ClusterMessage };
  'quotas.update': { payload: QuotaUpdate; message: QuotaMessage };
  'session.prefill': { payload: Record<string, never>; message: never };
  'timeseries.snapshot': { payload: SnapshotTaking; message: SnapshotMessage };
  'volume.auto-backup': { payload: AutoBackupRun; message: AutoBackupMessage };
}

export type JobType = keyof JobCatalog;
export type JobPayload<T extends JobType> = JobCatalog[T]['payload'];

export interface JobTraits {
  queue: QueueName;
  /** Shown in the users' list of jobs; false for the gateway's own jobs. */
  isListed: boolean;
  /** Administrators can list the jobs of this type in all projects (`readJobsOfType`). */
  isListedByType?: boolean;
  /** Can be cancelled after it has begun; otherwise only before. */
  isCancellableWhileRunning: boolean;
  /** Can never be cancelled: its request has taken effect when the job is queued. */
  refusesCancellation?: boolean;
  /** Refused when the project has too many waiting jobs. Jobs that free resources are never refused. */
  isLimited: boolean;
}

export const jobTraits: Record<JobType, JobTraits> = {
  'instance.create': {
    queue: 'provisioning',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'instance.delete': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'leftover.remove': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'library.build': {
    queue: 'provisioning',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.create': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'lite.delete': {
    queue: 'cleanup',
    isListed: true,
    isCancellableWhileRunning: false,
    refusesCancellation: true,
    isLimited: false,
  },
  'lite.health': { queue: 'maintenance', isListed: false, isCancellableWhileRunning: true, isLimited: false },
  'lite.scale': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'quotas.update': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'session.prefill': {
    queue: 'maintenance',
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'timeseries.snapshot': {
    queue: 'maintenance',
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'volume.auto-backup': {
    queue: 'maintenance',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
};

/** False for a type that only a newer gateway has. */
export function isKnownJobType(type: string): type is JobType {
  return Object.hasOwn(jobTraits, type);
}

export interface InstanceCreation {
  name: string;
  imageId: string;
  flavorId: string;
  /** The requested libraries. Their dependencies are added when the job runs. */
  libraryIds: string[];
  strategy: 'prebuilt' | 'dynamic' | null;
  networkId: string | null;
  keyName: string | null;
  availabilityZone: string | null;
  bootVolumeSizeGb: number | null;
  /** False keeps the boot volume when the instance is deleted. */
  deleteBootVolumeOnTermination: boolean;
  /** Existing volumes of the project, in the order in which they are attached. */
  additionalVolumeIds: string[];
  /** Created with the instance and attached after the additional ones. */
  newVolumes: NewVolume[];
  /** The administrator password, sealed for `adminPass`. */
  sealedAdminPass: string | null;
}

export interface NewVolume {
  name: string;
  sizeGb: number;
}

export interface InstanceDeletion {
  instanceId: string;
}

/** Steps of the instance creation stream, in the contract's order and with its numbers. */
export const instanceProgress = {
  FILESHARE_PREPARING: 20,
  BOOT_VOLUME_CREATING: 45,
  UPPER_VOLUME_CREATING: 60,
  USERDATA_GENERATING: 65,
  SERVER_CREATING: 95,
  ATTACHING_VOLUME: 98,
  FLOATING_IP_CREATING: 99,
  COMPLETED: 100,
  FAILED: -1,
} as const;

export type InstanceStep = keyof typeof instanceProgress;

/** One event of an instance's stream. `code` is set when the job failed. */
export interface InstanceMessage {
  step: InstanceStep | InstanceDeletionStep;
  progress: number;
  message: string;
  instance_id: string | null;
  error: string | null;
  code?: string;
}

/** Steps of a deletion. They appear on the job; the contract has no stream for them. */
export const instanceDeletionProgress = {
  SERVER_DELETING: 10,
  RESOURCES_DELETING: 60,
} as const;

export type InstanceDeletionStep = keyof typeof instanceDeletionProgress;

/** What an administrator has a leftover removed with. */
export interface LeftoverRemoval {
  /** As in the leftovers of jobs. */
  resourceType: string;
  resourceId: string;
  /** The project of the resource. */
  resourceProjectId: string;
  /** Removes it although it is doubtful whether something still has it. */
  force: boolean;
}

export const leftoverProgress = { LEFTOVER_REMOVING: 10, COMPLETED: 100, FAILED: -1 } as const;

/** One event of the removal of a leftover. `code` is set after a failure. */
export interface LeftoverMessage extends ProgressMessage {
  step: keyof typeof leftoverProgress;
  resource_type: string;
  resource_id: string;
  error: string | null;
  code?: string;
}

export interface LibraryBuilding {
  libraryId: string;
  /** The version in the catalogue at the time of the request. */
  version: string;
}

/** Steps of a build. `LIBRARY_INSTALLING` is repeated for each report of the builder, with progress up to 85. */
export const buildProgress = {
  SHARE_CREATING: 5,
  BUILDER_PREPARING: 10,
  BUILDER_CREATING: 20,
  LIBRARY_INSTALLING: 30,
  ACCESS_WITHDRAWING: 90,
  SHARE_PUBLISHING: 95,
  BUILDER_DELETING: 97,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of a build. `code` is set when the build failed. */
export interface BuildMessage extends ProgressMessage {
  step: keyof typeof buildProgress;
  library_id: string;
  version: string;
  /** The share of the build; null before its creation and after a failure. */
  file_storage_id: string | null;
  /** The builder's server, while it exists. */
  server_id: string | null;
  /** The end of the builder's log in its last report. */
  log_tail: string | null;
  error: string | null;
  code?: string;
}

/** One run of an auto backup. */
export interface AutoBackupRun {
  configurationId: string;
  volumeId: string;
  /** The due time, in milliseconds since the epoch. */
  due: number;
}

/** Steps of a run of an auto backup. */
export const autoBackupProgress = {
  BACKUP_CREATING: 10,
  BACKUPS_PRUNING: 90,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of a run of an auto backup. `code` is set after a failure. */
export interface AutoBackupMessage extends ProgressMessage {
  step: keyof typeof autoBackupProgress;
  volume_id: string;
  /** Null before the backup exists, and after a failure. */
  backup_id: string | null;
  error: string | null;
  code?: string;
}

/** The snapshots of one hour, for the time series of administrators. */
export interface SnapshotTaking {
  /** The beginning of the hour, in milliseconds since the epoch. */
  hour: number;
}

export const snapshotProgress = { SNAPSHOT_TAKING: 10, COMPLETED: 100, FAILED: -1 } as const;

/** One event of a snapshot. `code` is set after a failure. */
export interface SnapshotMessage extends ProgressMessage {
  step: keyof typeof snapshotProgress;
  error: string | null;
  code?: string;
}
