import { integerOr, part } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** The project's quotas and usage. A quota of -1, also one that the service does not say, is unlimited. */
const sharedFileSystemLimits = declareRecord('sharedFileSystem', 'limits', {
  /** Sizes in GiB. */
  absolute: part({
    maxTotalShares: integerOr(-1),
    maxTotalShareGigabytes: integerOr(-1),
    maxTotalShareSnapshots: integerOr(-1),
    maxTotalSnapshotGigabytes: integerOr(-1),
    maxTotalShareNetworks: integerOr(-1),
    totalSharesUsed: integerOr(0),
    totalShareGigabytesUsed: integerOr(0),
    totalShareSnapshotsUsed: integerOr(0),
    totalSnapshotGigabytesUsed: integerOr(0),
    totalShareNetworksUsed: integerOr(0),
  }),
});

export type SharedFileSystemLimits = RecordOf<typeof sharedFileSystemLimits>['absolute'];

export class SharedFileSystemLimitsReader {
  readonly #sharedFileSystem: ServiceClient;

  constructor(sharedFileSystem: ServiceClient) {
    this.#sharedFileSystem = sharedFileSystem;
  }

  async get(): Promise<SharedFileSystemLimits> {
    const { absolute } = await this.#sharedFileSystem.getRecord(
      'limits.get',
      '/limits',
      'limits',
      sharedFileSystemLimits,
    );
    return absolute;
  }
}
