import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** A process of the compute service. */
interface ComputeServiceRecord {
  id: string;
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
    return this.#compute.list('services.list', '/os-services', 'services');
  }
}
