import type { QueueName } from '@gateway/config';

/**
 * Every kind of job: its queue, what it is given, what its progress messages look like. Producer, processors
 * and streams take their types from here, so a job without a processor does not compile.
 */
export interface JobCatalog {
  'instance.create': { payload: InstanceCreation; message: InstanceMessage };
  'instance.delete': { payload: InstanceDeletion; message: InstanceMessage };
  'session.prefill': { payload: Record<string, never>; message: never };
}

export type JobType = keyof JobCatalog;
export type JobPayload<T extends JobType> = JobCatalog[T]['payload'];

export interface JobTraits {
  queue: QueueName;
  /** Asked for by people, who see it in their list of jobs; else the gateway's own work. */
  isListed: boolean;
  /** Can be stopped after it has begun; else only before. */
  isReversible: boolean;
  /** Refused when the project has too many that wait; what frees resources never is. */
  isRefusable: boolean;
}

export const jobTraits: Record<JobType, JobTraits> = {
  'instance.create': { queue: 'provisioning', isListed: true, isReversible: true, isRefusable: true },
  'instance.delete': { queue: 'cleanup', isListed: true, isReversible: false, isRefusable: false },
  'session.prefill': { queue: 'upkeep', isListed: false, isReversible: true, isRefusable: false },
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
  /** The administrator password, sealed for `adminPass`. */
  sealedAdminPass: string | null;
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

/** Any job's progress message, as its log keeps it. */
export interface ProgressMessage {
  step: string;
  progress: number;
  message: string;
  error?: string | null;
}
