import { quotaUsage, updateLimits } from '../quotas.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** Quotas of a project and their usage. Sizes in GiB. */
const blockStorageQuotas = declareRecord('blockStorage', 'quotas', {
  volumes: quotaUsage(),
  snapshots: quotaUsage(),
  gigabytes: quotaUsage(),
  backups: quotaUsage(),
  backup_gigabytes: quotaUsage(),
});

export type BlockStorageQuotas = RecordOf<typeof blockStorageQuotas>;

/** The limits that an update changes. */
type BlockStorageQuotaLimits = Partial<Record<'volumes' | 'gigabytes', number>>;

export class BlockStorageQuotasClient {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  /** Users may read the quotas of their own project, administrators those of any project. */
  get(projectId: string): Promise<BlockStorageQuotas> {
    return this.#blockStorage.getRecord(
      'quotas.get',
      path`/os-quota-sets/${projectId}`,
      'quota_set',
      blockStorageQuotas,
      { usage: true },
    );
  }

  /** For administrators. Sizes in GiB; -1 is unlimited. The service accepts limits below the usage. */
  update(projectId: string, limits: BlockStorageQuotaLimits): Promise<void> {
    const url = path`/os-quota-sets/${projectId}`;
    return updateLimits(this.#blockStorage, { path: url, key: 'quota_set', limits });
  }
}
