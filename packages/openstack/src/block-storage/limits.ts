import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage; a quota of -1 is unlimited. Sizes in GiB. */
export interface BlockStorageLimits {
  maxTotalVolumes: number;
  maxTotalSnapshots: number;
  maxTotalVolumeGigabytes: number;
  maxTotalBackups: number;
  maxTotalBackupGigabytes: number;
  totalVolumesUsed: number;
  totalGigabytesUsed: number;
  totalSnapshotsUsed: number;
  totalBackupsUsed: number;
  totalBackupGigabytesUsed: number;
}

/** Selects another project. For administrators. */
type BlockStorageLimitsQuery = { project_id?: string };

export class BlockStorageLimitsReader {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  async get(query?: BlockStorageLimitsQuery): Promise<BlockStorageLimits> {
    const { absolute } = await this.#blockStorage.getRecord<{ absolute: BlockStorageLimits }>(
      'limits.get',
      '/limits',
      'limits',
      query,
    );
    return absolute;
  }
}
