import type { QueueName } from '@gateway/config';

/**
 * Every kind of job: its queue, what it is given, what its progress messages look like. Producer, processors
 * and streams take their types from here, so a job without a processor does not compile.
 */
export interface JobCatalog {
  'instance.create': { payload: InstanceCreation; message: InstanceMessage };
  'instance.delete': { payload: InstanceDeletion; message: InstanceMessage };
  'library.build': { payload: LibraryBuilding; message: BuildMessage };
  'session.prefill': { payload: Record<string, never>; message: never };
}

export type JobType = keyof JobCatalog;
export type JobPayload<T extends JobType> = JobCatalog[T]['payload'];

export interface JobTraits {
  queue: QueueName;
  /** Shown in the users' list of jobs; false for the gateway's own jobs. */
  isListed: boolean;
  /** Administrators see those of all projects in one list (`readJobsOfType`). */
  isListedByType?: boolean;
  /** Can be cancelled after it has begun; otherwise only before. */
  isCancellableWhileRunning: boolean;
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
  'library.build': {
    queue: 'provisioning',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'session.prefill': { queue: 'upkeep', isListed: false, isCancellableWhileRunning: true, isLimited: false },
};

export interface InstanceCreation {
  name: string;
  imageId: string;
  flavorId: string;
  /** As asked for; their dependencies are added when the job runs. */
  libraryIds: string[];
  strategy: 'prebuilt' | 'dynamic' | null;
  networkId: string | null;
  keyName: string | null;
  availabilityZone: string | null;
  bootVolumeSizeGb: number | null;
  /** False: the boot volume stays when the instance is deleted. */
  deleteBootVolumeOnTermination: boolean;
  /** Volumes of the project that are there already, in the order in which they are attached. */
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

/** One event of an instance's stream. `code` is there when the job failed. */
export interface InstanceMessage {
  step: InstanceStep | InstanceDeletionStep;
  progress: number;
  message: string;
  instance_id: string | null;
  error: string | null;
  code?: string;
}

/** Steps of a clean-up; they are seen on the job, there is no stream of the contract for them. */
export const instanceDeletionProgress = {
  SERVER_DELETING: 10,
  RESOURCES_DELETING: 60,
} as const;

export type InstanceDeletionStep = keyof typeof instanceDeletionProgress;

export interface LibraryBuilding {
  libraryId: string;
  /** As the catalogue had it when the build was asked for. */
  version: string;
}

/** Steps of a build; `LIBRARY_INSTALLING` is told again with each report of the builder, and goes up to 85. */
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

/** One event of a build. `code` is there when it failed. */
export interface BuildMessage extends ProgressMessage {
  step: keyof typeof buildProgress;
  library_id: string;
  version: string;
  /** The share that is being filled; null before there is one, and after a failure. */
  file_storage_id: string | null;
  /** The machine that fills it, while there is one. */
  server_id: string | null;
  /** The end of the builder's log, as it last reported it. */
  log_tail: string | null;
  error: string | null;
  code?: string;
}

/** Any job's progress message, as its log keeps it. */
export interface ProgressMessage {
  step: string;
  progress: number;
  message: string;
  error?: string | null;
}
