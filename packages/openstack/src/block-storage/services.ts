import { z } from 'zod';
import { numberOrNull, part, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import { processFields } from '../records/service-process.ts';
import type { ServiceClient } from '../service.ts';

/** A process of the block storage service. It has no id. */
const serviceRecord = declareRecord('blockStorage', 'service', processFields);

type BlockStorageServiceRecord = RecordOf<typeof serviceRecord>;

/** GiB; null if the driver does not know it. */
const capacity = () => z.union([z.literal('infinite'), numberOrNull()]);

const poolRecord = declareRecord('blockStorage', 'pool', {
  name: text(),
  capabilities: part({
    volume_backend_name: text(),
    driver_version: text(),
    /** Some drivers list several names for their protocol. */
    storage_protocol: z.union([z.string(), z.array(z.string())]).catch(''),
    vendor_name: text(),
    total_capacity_gb: capacity(),
    free_capacity_gb: capacity(),
    allocated_capacity_gb: numberOrNull(),
  }),
});

export type StoragePoolRecord = RecordOf<typeof poolRecord>;

/** For administrators. */
export class BlockStorageServices {
  readonly #blockStorage: ServiceClient;

  constructor(blockStorage: ServiceClient) {
    this.#blockStorage = blockStorage;
  }

  list(): Promise<BlockStorageServiceRecord[]> {
    return this.#blockStorage.list('services.list', '/os-services', 'services', serviceRecord);
  }

  listPools(): Promise<StoragePoolRecord[]> {
    const url = '/scheduler-stats/get_pools';
    return this.#blockStorage.list('pools.list', url, 'pools', poolRecord, { detail: true });
  }
}
