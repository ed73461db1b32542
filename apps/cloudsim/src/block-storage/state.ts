export interface VolumeType {
  id: string;
  name: string;
  description: string;
}

export interface Attachment {
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

export interface Snapshot {
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

export interface BlockStorageState {
  types: Map<string, VolumeType>;
  defaultType: string;
  volumes: Map<string, Volume>;
  snapshots: Map<string, Snapshot>;
  quotas: Map<string, Record<string, number>>;
}

export function emptyBlockStorage(): BlockStorageState {
  return {
    types: new Map(),
    defaultType: 'standard',
    volumes: new Map(),
    snapshots: new Map(),
    quotas: new Map(),
  };
}
