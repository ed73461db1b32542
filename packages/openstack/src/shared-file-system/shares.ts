import { z } from 'zod';
import { flag, idOrNull, integerOr, key, listOf, mapOrNull, text } from '../records/fields.ts';
import { declareRecord, type RecordOf, RecordReader } from '../records/record.ts';
import { answeredValues, requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const shareRecord = declareRecord('sharedFileSystem', 'share', {
  id: key(),
  name: text(),
  /** `creating`, `available`, `error`, …; null during the last part of a deletion. */
  status: z
    .string()
    .min(1)
    .nullable()
    .catch('unknown')
    .transform((status) => status ?? 'deleting'),
  /** GiB. */
  size: integerOr(0),
  share_proto: text('unknown'),
  project_id: text(),
  /** Absent in older clouds. */
  user_id: idOrNull(),
  share_network_id: idOrNull(),
  is_public: flag(false),
  /** Whether the service takes snapshots of it; if it does not say so, it decides. */
  snapshot_support: flag(true),
  /** Null if the service does not say it: then the share may have any mark. */
  metadata: mapOrNull(z.string()),
  created_at: text(),
});

export type ShareRecord = RecordOf<typeof shareRecord>;

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
  snapshot_id?: string;
  availability_zone?: string;
  is_public?: boolean;
  metadata?: Record<string, string>;
}

/** A share in microversion 2.8. */
const legacyShareRecord = declareRecord('sharedFileSystem', 'share_with_paths', {
  id: key(),
  export_locations: listOf(key()),
});

const shareCount = new RecordReader('share_count', z.int());

export class Shares {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  /**
   * The service's `count` (since microversion 2.42) saves a last, empty page. With it, the service ignores a
   * project in the query.
   */
  list(query: ShareQuery = {}): Promise<ShareRecord[]> {
    const counts = query.project_id === undefined ? { with_count: true } : {};
    const asked = { ...query, ...counts };
    const url = '/shares/detail';
    return this.#sharedFileSystem.listByOffset('shares.list', url, 'shares', shareRecord, asked);
  }

  /** The number of shares of all projects; for administrators. */
  countAll(): Promise<number> {
    const query = { all_tenants: 1, with_count: true, limit: 1 };
    const url = '/shares/detail';
    return this.#sharedFileSystem.getRecord('shares.count', url, 'count', shareCount, query);
  }

  /**
   * The paths of the export locations of listed shares, by share id. Only microversions before 2.9 list them.
   * They are in no particular order, and include the paths for administrators.
   *
   * @param ids the ids of the wanted shares, which the query must list
   */
  async listExportPaths(ids: readonly string[], query?: ShareQuery): Promise<Map<string, string[]>> {
    const shares = await this.#sharedFileSystem.listByOffset(
      'shares.listExportPaths',
      '/shares/detail',
      'shares',
      legacyShareRecord,
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

  get(id: string): Promise<ShareRecord> {
    return this.#sharedFileSystem.getRecord('shares.get', path`/shares/${id}`, 'share', shareRecord);
  }

  create(share: ShareCreate): Promise<ShareRecord> {
    return this.#sharedFileSystem.postRecord('shares.create', '/shares', 'share', shareRecord, {
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
    const taken = await this.#sharedFileSystem.postRecord(
      'shares.setMetadata',
      url,
      'metadata',
      answeredValues,
      body,
    );
    requireTaken('sharedFileSystem', metadata, taken);
  }
}
