import { BasicCollection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';

export interface SnapshotRecord {
  id: string;
  /** `creating`, `available`, `deleting`, `error`, … */
  status: string;
  /** GiB, of the volume. */
  size: number;
  name: string | null;
  description: string | null;
  volume_id: string;
  created_at: string;
  updated_at: string | null;
  metadata: Record<string, string>;
  /** Absent from the response to a create request. */
  'os-extended-snapshot-attributes:project_id'?: string;
}

export type SnapshotQuery = {
  /** Exact match. */
  name?: string;
  status?: string;
  volume_id?: string;
};

export interface SnapshotCreate {
  volume_id: string;
  name?: string;
  description?: string;
  /** Required for a volume that is in use. */
  force?: boolean;
  metadata?: Record<string, string>;
}

export class Snapshots extends BasicCollection<SnapshotRecord, SnapshotCreate, SnapshotQuery> {
  constructor(blockStorage: ServiceClient) {
    super(blockStorage, {
      plural: 'snapshots',
      singular: 'snapshot',
      noun: 'snapshots',
      path: '/snapshots',
      listPath: '/snapshots/detail',
    });
  }
}
