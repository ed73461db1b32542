import { key } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import { processFields } from '../records/service-process.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** A process of the compute service. */
const computeServiceRecord = declareRecord('compute', 'service', {
  id: key(),
  ...processFields,
});

type ComputeServiceRecord = RecordOf<typeof computeServiceRecord>;

/** For administrators. */
export class ComputeServices {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  /**
   * Lets the scheduler choose the host of a `nova-compute` process, or not. Servers on it keep running. The
   * service accepts a reason only with `disabled`.
   */
  async setStatus(
    id: string,
    status: { status: 'enabled' | 'disabled'; disabled_reason?: string },
  ): Promise<void> {
    await this.#compute.put('services.setStatus', path`/os-services/${id}`, status);
  }

  list(): Promise<ComputeServiceRecord[]> {
    return this.#compute.list('services.list', '/os-services', 'services', computeServiceRecord);
  }
}
