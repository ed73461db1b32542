import type { ServiceClient } from '../service.ts';

/** Quotas of the project and what it uses of them; -1 is unlimited. Sizes in GiB. */
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
    const answer = await this.#sharedFileSystem.get<{ limits: { absolute: SharedFileSystemLimits } }>(
      'limits.get',
      '/limits',
    );
    return answer.limits.absolute;
  }
}
