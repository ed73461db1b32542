import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

export interface ExportLocationRecord {
  id: string;
  path: string;
  preferred: boolean;
  /** For administrators. */
  share_instance_id?: string;
  is_admin_only?: boolean;
}

export class ExportLocations {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  list(shareId: string): Promise<ExportLocationRecord[]> {
    return this.#sharedFileSystem.list(
      'exportLocations.list',
      path`/shares/${shareId}/export_locations`,
      'export_locations',
    );
  }
}
