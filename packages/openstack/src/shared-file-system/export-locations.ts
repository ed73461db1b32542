import { flag, key } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

const exportLocationRecord = declareRecord('sharedFileSystem', 'export_location', {
  path: key(),
  preferred: flag(false),
  /** For administrators. */
  is_admin_only: flag(false),
});

export type ExportLocationRecord = RecordOf<typeof exportLocationRecord>;

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
      exportLocationRecord,
    );
  }
}
