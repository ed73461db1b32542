import { BasicCollection } from '../collection.ts';
import { idOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { type VolumeCopyCreate, volumeCopyFields } from './volume-copy.ts';

/** `status` is `creating`, `available`, `deleting`, `error`, … */
const snapshotRecord = declareRecord('blockStorage', 'snapshot', {
  ...volumeCopyFields,
  /** Absent from the response to a create request. A policy can hide it from members. */
  'os-extended-snapshot-attributes:project_id': idOrNull(),
});

export type SnapshotRecord = RecordOf<typeof snapshotRecord>;

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
      record: snapshotRecord,
      plural: 'snapshots',
      singular: 'snapshot',
      noun: 'snapshots',
      path: '/snapshots',
      listPath: '/snapshots/detail',
    });
  }

  /** Deletes a snapshot in any state; for administrators. */
  forceDelete(id: string): Promise<void> {
    return this.service.requestVoid('POST', 'snapshots.forceDelete', `${this.pathOf(id)}/action`, {
      body: { 'os-force_delete': {} },
      isDelete: true,
    });
  }

  /** Whether a snapshot that was read by its id is one of the project. */
  belongsTo(projectId: string, snapshot: SnapshotRecord): Promise<boolean> {
    return this.service.isOfProject(snapshot['os-extended-snapshot-attributes:project_id'], projectId);
  }
}
