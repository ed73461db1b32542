import { BasicCollection } from '../collection.ts';
import type { ServiceClient } from '../service.ts';
import type { VolumeCopyCreate, VolumeCopyRecord } from './volume-copy.ts';

/** `status` is `creating`, `available`, `deleting`, `error`, … */
export interface SnapshotRecord extends VolumeCopyRecord {
  /** Absent from the response to a create request. */
  'os-extended-snapshot-attributes:project_id'?: string;
}

export type SnapshotQuery = {
  /** Exact match. */
  name?: string;
  status?: string;
  volume_id?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
};

type SnapshotCreate = VolumeCopyCreate;

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
