import { key, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** A move of a server from one host to another. */
const migrationRecord = declareRecord('compute', 'migration', {
  /** Since microversion 2.59. */
  uuid: key(),
  instance_uuid: text(),
  /** `live-migration`, `migration`, `evacuation` or `resize`. */
  migration_type: text(),
  /**
   * `accepted`, `preparing`, `running`, …; at the end `completed` (live), `finished`, then `confirmed`
   * (cold), `done` (evacuation), or `error`, `failed`, `cancelled`, `reverted`.
   */
  status: text(),
  source_compute: text(),
  dest_compute: textOrNull(),
});

export type MigrationRecord = RecordOf<typeof migrationRecord>;

/** For administrators. */
export class Migrations {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The newest move of a server, away from this host or from any; null if there was none. */
  async latest(serverId: string, host?: string): Promise<MigrationRecord | null> {
    const query = { instance_uuid: serverId, source_compute: host, limit: 1 };
    const { items } = await this.#compute.page(
      'migrations.latest',
      '/os-migrations',
      'migrations',
      migrationRecord,
      query,
    );
    return items[0] ?? null;
  }
}
