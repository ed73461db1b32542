import { integerOr, part } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage. A quota of -1, also one that the service does not say, is unlimited. */
const blockStorageLimits = declareRecord('blockStorage', 'limits', {
  /** Sizes in GiB. */
  absolute: part({
    maxTotalVolumes: integerOr(-1),
    maxTotalSnapshots: integerOr(-1),
    maxTotalVolumeGigabytes: integerOr(-1),
    maxTotalBackups: integerOr(-1),
    maxTotalBackupGigabytes: integerOr(-1),
    totalVolumesUsed: integerOr(0),
    totalGigabytesUsed: integerOr(0),
    totalSnapshotsUsed: integerOr(0),
    totalBackupsUsed: integerOr(0),
    totalBackupGigabytesUsed: integerOr(0),
  }),
});

export type BlockStorageLimits = RecordOf<typeof blockStorageLimits>['absolute'];

/** Selects another project. For administrators. */
type BlockStorageLimitsQuery = { project_id?: string };

export class BlockStorageLimitsReader {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  async get(query?: BlockStorageLimitsQuery): Promise<BlockStorageLimits> {
    const { absolute } = await this.#blockStorage.getRecord(
      'limits.get',
      '/limits',
      'limits',
      blockStorageLimits,
      query,
    );
    return absolute;
  }
}
