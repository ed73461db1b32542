import { path } from '../path.ts';
import type { QuotaUsage } from '../quotas.ts';
import type { ServiceClient } from '../service.ts';

/** Quotas of a project and what is in use of them. Sizes in GiB. */
export interface BlockStorageQuotas {
  volumes: QuotaUsage;
  snapshots: QuotaUsage;
  gigabytes: QuotaUsage;
  backups: QuotaUsage;
  backup_gigabytes: QuotaUsage;
}

export class BlockStorageQuotasReader {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  /** Users may read their own project's quotas; administrators those of any project. */
  get(projectId: string): Promise<BlockStorageQuotas> {
    return this.#blockStorage.getRecord<BlockStorageQuotas>(
      'quotas.get',
      path`/os-quota-sets/${projectId}`,
      'quota_set',
      { usage: true },
    );
  }
}
