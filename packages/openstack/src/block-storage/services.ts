import type { ServiceClient } from '../service.ts';

/** A process of the block storage service. It has no id. */
interface BlockStorageServiceRecord {
  binary: string;
  host: string;
  zone: string;
  /** `enabled` or `disabled`. */
  status: string;
  /** `up` or `down`. */
  state: string;
  updated_at: string | null;
  disabled_reason: string | null;
}

export interface StoragePoolRecord {
  name: string;
  capabilities: {
    volume_backend_name?: string;
    driver_version?: string;
    storage_protocol?: string | string[];
    vendor_name?: string;
    /** GiB, `infinite` or `unknown`. */
    total_capacity_gb?: number | string;
    free_capacity_gb?: number | string;
    allocated_capacity_gb?: number;
  };
}

/** For administrators. */
export class BlockStorageServices {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  list(): Promise<BlockStorageServiceRecord[]> {
    return this.#blockStorage.list('services.list', '/os-services', 'services');
  }

  listPools(): Promise<StoragePoolRecord[]> {
    return this.#blockStorage.list('pools.list', '/scheduler-stats/get_pools', 'pools', { detail: true });
  }
}
