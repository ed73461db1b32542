export interface VolumeType {
  id: string;
  name: string;
  description: string;
  isPublic: boolean;
  extraSpecs: Record<string, string>;
  /** Projects that may use a private type. */
  access: Set<string>;
}

interface Attachment {
  id: string;
  serverId: string;
  device: string;
  attachedMs: number;
}

export interface Volume {
  id: string;
  projectId: string;
  userId: string;
  name: string | null;
  description: string | null;
  status: string;
  sizeGb: number;
  type: string;
  zone: string;
  snapshotId: string | null;
  sourceVolumeId: string | null;
  metadata: Record<string, string>;
  imageMetadata: Record<string, string> | null;
  bootable: boolean;
  attachments: Attachment[];
  /** The server that the volume is reserved for, until it is attached. */
  reservation: { id: string; serverId: string } | null;
  createdMs: number;
  updatedMs: number | null;
}

/** What snapshots and backups have in common. */
export interface VolumeCopy {
  id: string;
  projectId: string;
  userId: string;
  name: string | null;
  description: string | null;
  status: string;
  sizeGb: number;
  volumeId: string;
  metadata: Record<string, string>;
  createdMs: number;
  updatedMs: number | null;
}

export type Snapshot = VolumeCopy;

export interface Backup extends VolumeCopy {
  /** The backup that an incremental one builds on. */
  parentId: string | null;
  /** What a restore brings back besides the content. */
  volume: Pick<Volume, 'name' | 'description' | 'metadata' | 'imageMetadata'>;
}

/** The offer of a volume; it exists until it is accepted or deleted. */
export interface Transfer {
  id: string;
  /** The project that offers the volume. */
  projectId: string;
  volumeId: string;
  name: string | null;
  authKey: string;
  createdMs: number;
}

export interface BlockStorageState {
  types: Map<string, VolumeType>;
  defaultType: string;
  volumes: Map<string, Volume>;
  snapshots: Map<string, Snapshot>;
  backups: Map<string, Backup>;
  transfers: Map<string, Transfer>;
  quotas: Map<string, Record<string, number>>;
}

/** The kind of each collection for leak checks; null for what is not counted (`RecordKinds`). */
export const blockStorageKinds = {
  types: null,
  volumes: 'volumes',
  snapshots: 'snapshots',
  backups: 'backups',
  transfers: 'transfers',
} as const;

export function emptyBlockStorage(): BlockStorageState {
  return {
    types: new Map(),
    defaultType: 'standard',
    volumes: new Map(),
    snapshots: new Map(),
    backups: new Map(),
    transfers: new Map(),
    quotas: new Map(),
  };
}
