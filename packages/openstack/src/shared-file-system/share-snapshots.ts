import { integerOr, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const shareSnapshotRecord = declareRecord('sharedFileSystem', 'snapshot', {
  id: key(),
  share_id: text(),
  name: text(),
  description: text(),
  project_id: text(),
  /** `creating`, `available`, `error`, `deleting`, … */
  status: text('unknown'),
  /** GiB, as its share had. */
  size: integerOr(0),
  share_proto: text('unknown'),
  created_at: text(),
});

export type ShareSnapshotRecord = RecordOf<typeof shareSnapshotRecord>;

/** For administrators. */
type ProjectQuery = { all_tenants: 1; project_id: string };

/** The snapshots of shares. */
export class ShareSnapshots {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /** By default those of the caller's project. The service counts snapshots since microversion 2.79. */
  list(query: ProjectQuery | Record<never, never> = {}): Promise<ShareSnapshotRecord[]> {
    const url = '/snapshots/detail';
    return this.#sharedFileSystem.listByOffset(
      'snapshots.list',
      url,
      'snapshots',
      shareSnapshotRecord,
      query,
    );
  }

  get(id: string): Promise<ShareSnapshotRecord> {
    return this.#sharedFileSystem.getRecord(
      'snapshots.get',
      path`/snapshots/${id}`,
      'snapshot',
      shareSnapshotRecord,
    );
  }

  /** The service takes no metadata with them before microversion 2.73. */
  create(snapshot: { share_id: string; name: string; description?: string }): Promise<ShareSnapshotRecord> {
    const body = { snapshot };
    return this.#sharedFileSystem.postRecord(
      'snapshots.create',
      '/snapshots',
      'snapshot',
      shareSnapshotRecord,
      body,
    );
  }

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('snapshots.remove', path`/snapshots/${id}`);
  }

  /** Deletes a snapshot in any state; for administrators. */
  forceDelete(id: string): Promise<void> {
    const url = path`/snapshots/${id}/action`;
    return this.#sharedFileSystem.requestVoid('POST', 'snapshots.forceDelete', url, {
      body: { force_delete: null },
      isDelete: true,
    });
  }
}
