import { CLEANUP, jobType, PROVISIONING } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

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
  options: InstanceCreationOptions;
  /** What the request has found; absent if it has left a check to the job. */
  found?: FoundAtRequest;
}

export interface FoundAtRequest extends FoundForInstance {
  /** Milliseconds since the epoch. */
  at: number;
  /** False if the quotas on shares depend on what the job finds of the libraries. */
  areQuotasChecked: boolean;
}

/** What the cloud has of what a creation names. */
export interface FoundForInstance {
  flavor: { name: string; vcpus: number; ram: number; extra_specs: Record<string, string> };
  bootVolumeSizeGb: number;
  /** Of the image, such as `ubuntu-22.04`; null when the image has no such property. */
  osVersion: string | null;
  /** The network of the first interface. */
  networkId: string;
  isExternal: boolean;
  /** The requested interfaces; empty for one new port on the network. */
  nics: { networkId: string; portId: string | null }[];
  /** The availability zone of the volumes; null for the block storage service's default. */
  volumeZone: string | null;
}

export interface InstanceCreationOptions {
  /** The first one gets the floating IP. Empty for one new port on `networkId`. */
  nics: { networkId: string | null; portId: string | null }[];
  /** Of the new ports; empty for the default group of the project. */
  securityGroupIds: string[];
  serverGroupId: string | null;
  floatingIp: boolean;
  /** The user's own first-boot data, sealed for `userData`. */
  sealedUserData: string | null;
}

interface NewVolume {
  name: string;
  sizeGb: number;
}

/** What the api has read of the server when it accepted the deletion. */
export interface DeletedServer {
  name: string;
  projectId: string;
  /** In the compute service's spelling. */
  createdAt: string;
  metadata: Record<string, string>;
  /** The volumes that the compute service deletes with the server. */
  volumeIds: string[];
  /** When the read began, in milliseconds since the epoch. */
  readAt: number;
}

export interface InstanceDeletion {
  instanceId: string;
  server: DeletedServer;
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

/** One event of an instance's stream. */
export interface InstanceMessage extends ProgressMessage {
  step: InstanceStep | InstanceDeletionStep;
  instance_id: string | null;
  error: string | null;
}

/** Steps of a deletion. They appear on the job; the contract has no stream for them. */
export const instanceDeletionProgress = {
  SERVER_DELETING: 10,
  RESOURCES_DELETING: 60,
} as const;

type InstanceDeletionStep = keyof typeof instanceDeletionProgress;

export const instanceJobs = {
  'instance.create': jobType<InstanceCreation, InstanceMessage>({
    ...PROVISIONING,
    resourceType: 'instance',
  }),
  'instance.delete': jobType<InstanceDeletion, InstanceMessage>({ ...CLEANUP, resourceType: 'instance' }),
};
