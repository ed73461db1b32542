import { path } from '../path.ts';
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

export class Snapshots {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  list(query?: SnapshotQuery): Promise<SnapshotRecord[]> {
    return this.#blockStorage.list('snapshots.list', '/snapshots/detail', 'snapshots', query);
  }

  get(id: string): Promise<SnapshotRecord> {
    return this.#blockStorage.getRecord<SnapshotRecord>('snapshots.get', path`/snapshots/${id}`, 'snapshot');
  }

  create(snapshot: SnapshotCreate): Promise<SnapshotRecord> {
    return this.#blockStorage.postRecord<SnapshotRecord>('snapshots.create', '/snapshots', 'snapshot', {
      snapshot,
    });
  }

  remove(id: string): Promise<void> {
    return this.#blockStorage.remove('snapshots.remove', path`/snapshots/${id}`);
  }
}
