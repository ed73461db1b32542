import type { ServiceClient } from '../service.ts';

/** A move of a server from one host to another. */
export interface MigrationRecord {
  /** Since microversion 2.59. */
  uuid: string;
  instance_uuid: string;
  migration_type: 'live-migration' | 'migration' | 'evacuation' | 'resize';
  /**
   * `accepted`, `preparing`, `running`, …; at the end `completed` (live), `finished`, then `confirmed`
   * (cold), `done` (evacuation), or `error`, `failed`, `cancelled`, `reverted`.
   */
  status: string;
  source_compute: string;
  dest_compute: string | null;
}

/** For administrators. */
export class Migrations {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /** The newest move of a server, away from this host or from any; null if there was none. */
  async latest(serverId: string, host?: string): Promise<MigrationRecord | null> {
    const query = { instance_uuid: serverId, source_compute: host, limit: 1 };
    const { items } = await this.#compute.page<MigrationRecord>(
      'migrations.latest',
      '/os-migrations',
      'migrations',
      query,
    );
    return items[0] ?? null;
  }
}
