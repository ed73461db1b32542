import { path } from '../path.ts';
import { requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';

export interface ShareRecord {
  id: string;
  name: string | null;
  description: string | null;
  /** `creating`, `available`, `error`, `deleting`, … */
  status: string;
  /** GiB. */
  size: number;
  share_proto: string;
  share_type: string;
  share_type_name: string;
  project_id: string;
  /** Absent in older clouds. */
  user_id?: string;
  share_network_id: string | null;
  availability_zone: string | null;
  is_public: boolean;
  metadata: Record<string, string>;
  created_at: string;
  /** `active`, `out-of-sync`, `error`. */
  access_rules_status: string;
}

export type ShareQuery = {
  /** Exact match. */
  name?: string;
  status?: string;
  /** For administrators: 1 lists all projects. */
  all_tenants?: 1;
  /** With `all_tenants`. */
  project_id?: string;
  share_type_id?: string;
  is_public?: boolean;
  /** A JSON object: matches shares whose metadata contains all its pairs. */
  metadata?: string;
};

export interface ShareCreate {
  share_proto: string;
  /** GiB. */
  size: number;
  name?: string;
  description?: string;
  share_type?: string;
  share_network_id?: string;
  availability_zone?: string;
  is_public?: boolean;
  metadata?: Record<string, string>;
}

/** During the last part of a deletion, the service reports a share without a status. */
type SentShare = Omit<ShareRecord, 'status'> & { status: string | null };

function readShare({ status, ...share }: SentShare): ShareRecord {
  return { ...share, status: status ?? 'deleting' };
}

/** A share in microversion 2.8. */
interface LegacyShareRecord {
  id: string;
  export_locations: string[];
}

export class Shares {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /**
   * The service's `count` (since microversion 2.42) saves a last, empty page. With it, the service ignores a
   * project in the query.
   */
  async list(query: ShareQuery = {}): Promise<ShareRecord[]> {
    const counts = query.project_id === undefined ? { with_count: true } : {};
    const asked = { ...query, ...counts };
    const url = '/shares/detail';
    return (await this.#sharedFileSystem.listByOffset<SentShare>('shares.list', url, 'shares', asked)).map(
      readShare,
    );
  }

  /** The number of shares of all projects; for administrators. */
  async countAll(): Promise<number> {
    const query = { all_tenants: 1, with_count: true, limit: 1 };
    const url = '/shares/detail';
    const { count } = await this.#sharedFileSystem.get<{ count: number }>('shares.count', url, query);
    return count;
  }

  /**
   * The paths of the export locations of listed shares, by share id. Only microversions before 2.9 list them.
   * They are in no particular order, and include the paths for administrators.
   *
   * @param ids the ids of the wanted shares, which the query must list
   */
  async listExportPaths(ids: readonly string[], query?: ShareQuery): Promise<Map<string, string[]>> {
    const shares = await this.#sharedFileSystem.listByOffset<LegacyShareRecord>(
      'shares.listExportPaths',
      '/shares/detail',
      'shares',
      query ?? {},
      {
        microversion: '2.8',
        isWhole: (rows) => {
          const listed = new Set(rows.map((row) => row.id));
          return ids.every((id) => listed.has(id));
        },
      },
    );
    return new Map(shares.map((share) => [share.id, share.export_locations]));
  }

  /** Shares with exactly this name. */
  async listByName(name: string, query?: ShareQuery): Promise<ShareRecord[]> {
    const shares = await this.list({ ...query, name });
    return shares.filter((share) => share.name === name);
  }

  async get(id: string): Promise<ShareRecord> {
    return readShare(
      await this.#sharedFileSystem.getRecord<SentShare>('shares.get', path`/shares/${id}`, 'share'),
    );
  }

  create(share: ShareCreate): Promise<ShareRecord> {
    return this.#sharedFileSystem.postRecord<ShareRecord>('shares.create', '/shares', 'share', {
      share,
    });
  }

  remove(id: string): Promise<void> {
    return this.#sharedFileSystem.remove('shares.remove', path`/shares/${id}`);
  }

  /** Deletes a share in any state; for administrators. */
  forceDelete(id: string): Promise<void> {
    return this.#sharedFileSystem.requestVoid('POST', 'shares.forceDelete', path`/shares/${id}/action`, {
      body: { force_delete: null },
      isDelete: true,
    });
  }

  /** Adds metadata, or replaces values with the same key. Returns all metadata of the share. */
  async setMetadata(id: string, metadata: Record<string, string>): Promise<void> {
    const url = path`/shares/${id}/metadata`;
    const body = { metadata };
    const taken = await this.#sharedFileSystem.postRecord<object>(
      'shares.setMetadata',
      url,
      'metadata',
      body,
    );
    requireTaken('sharedFileSystem', metadata, { ...taken });
  }
}
