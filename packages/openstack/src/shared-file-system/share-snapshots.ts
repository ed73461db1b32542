import { path } from '../path.ts';
import { key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

const shareSnapshotRecord = declareRecord('sharedFileSystem', 'snapshot', {
  id: key(),
  share_id: text(),
  name: text(),
  /** `creating`, `available`, `error`, `deleting`, … */
  status: text('unknown'),
});

type ShareSnapshotRecord = RecordOf<typeof shareSnapshotRecord>;

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

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('snapshots.remove', path`/snapshots/${id}`);
  }
}
