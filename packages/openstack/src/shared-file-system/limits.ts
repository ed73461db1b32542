import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage; a quota of -1 is unlimited. Sizes in GiB. */
export interface SharedFileSystemLimits {
  maxTotalShares: number;
  maxTotalShareGigabytes: number;
  maxTotalShareSnapshots: number;
  maxTotalSnapshotGigabytes: number;
  maxTotalShareNetworks: number;
  totalSharesUsed: number;
  totalShareGigabytesUsed: number;
  totalShareSnapshotsUsed: number;
  totalSnapshotGigabytesUsed: number;
  totalShareNetworksUsed: number;
}

export class SharedFileSystemLimitsReader {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  async get(): Promise<SharedFileSystemLimits> {
    const { absolute } = await this.#sharedFileSystem.getRecord<{ absolute: SharedFileSystemLimits }>(
      'limits.get',
      '/limits',
      'limits',
    );
    return absolute;
  }
}
