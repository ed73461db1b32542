import type { CreatedResource } from '@gateway/core';
import { jobType, PROVISIONING } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** Jobs that create one resource of a user and wait until it can be used. In payloads null is absent. */

/** Sizes in GiB. The volume is empty, or a copy of one source. */
export interface VolumeCreation {
  name: string;
  description: string | null;
  /** Null for the size of the source. */
  sizeGb: number | null;
  imageId: string | null;
  snapshotId: string | null;
  sourceVolumeId: string | null;
  /** Id or name. */
  volumeType: string | null;
  availabilityZone: string | null;
}

/** Refused for a volume that is in use, unless `force` is true. */
export interface BackupCreation {
  name: string;
  volumeId: string;
  description: string | null;
  force: boolean;
}

/** Into a new volume, or over an existing one. */
export interface BackupRestore {
  backupId: string;
  /** Of a new volume; null for the name of the backup. */
  name: string | null;
  /** The volume that is overwritten; null for a new one. */
  volumeId: string | null;
}

/** Of what the instance boots from. */
export interface ImageCreation {
  instanceId: string;
  name: string;
}

/** Size in GiB. The metadata are those of the user. */
export interface ShareCreation {
  name: string;
  sizeGb: number;
  protocol: 'NATIVEFS' | 'NFS';
  /** Id or name; null for the configured one of the protocol. */
  shareType: string | null;
  /** Null for the configured one. */
  shareNetworkId: string | null;
  metadata: Record<string, string>;
  /** What fills it; absent for nothing. */
  source?: ShareSource;
}

/** A snapshot, in the fields of the service. */
export interface ShareSource {
  share_proto: string;
  snapshot_id: string;
}

export interface ManagedClusterCreation {
  name: string;
  templateId: string;
  nodeCount: number;
  masterCount: number;
  keyPair: string | null;
}

/** Steps of these jobs. `RESTORING` belongs to the restore of a backup, the next two to an image. */
export const resourceProgress = {
  CHECKING: 5,
  CREATING: 20,
  RESTORING: 40,
  UPLOADING: 50,
  CLEANING_UP: 95,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of such a job. */
export interface ResourceMessage extends ProgressMessage {
  step: keyof typeof resourceProgress;
  resource_type: CreatedResource;
  /** Null before the resource exists or is changed, and after a failure. */
  resource_id: string | null;
  error: string | null;
}

export const resourceJobs = {
  'backup.create': resourceJob<BackupCreation>('backup'),
  'backup.restore': resourceJob<BackupRestore>('volume'),
  'cluster.create': resourceJob<ManagedClusterCreation>('cluster'),
  'image.create': resourceJob<ImageCreation>('image'),
  'share.create': resourceJob<ShareCreation>('file_storage'),
  'volume.create': resourceJob<VolumeCreation>('volume'),
};

function resourceJob<Payload>(resourceType: CreatedResource) {
  return { ...jobType<Payload, ResourceMessage>({ ...PROVISIONING, resourceType }), resourceType };
}
