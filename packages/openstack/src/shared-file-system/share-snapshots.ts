import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ShareSnapshotRecord {
  id: string;
  share_id: string;
  name: string | null;
  /** `creating`, `available`, `error`, `deleting`, … */
  status: string;
}

const PAGE_SIZE = 1000;

/** For administrators. */
type ProjectQuery = { all_tenants: 1; project_id: string };

/** The snapshots of shares. */
export class ShareSnapshots {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /**
   * By default those of the caller's project. The service sends neither next links nor, before microversion
   * 2.79, the number of snapshots, so the last page is an empty one.
   */
  async list(query?: ProjectQuery): Promise<ShareSnapshotRecord[]> {
    const found: ShareSnapshotRecord[] = [];
    for (;;) {
      const { snapshots } = await this.#sharedFileSystem.get<{ snapshots: ShareSnapshotRecord[] }>(
        'snapshots.list',
        '/snapshots/detail',
        { ...query, limit: PAGE_SIZE, offset: found.length },
      );
      found.push(...snapshots);
      if (snapshots.length === 0) return found;
    }
  }

  get(id: string): Promise<ShareSnapshotRecord> {
    return this.#sharedFileSystem.getRecord('snapshots.get', path`/snapshots/${id}`, 'snapshot');
  }

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('snapshots.remove', path`/snapshots/${id}`);
  }
}
