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

  list(): Promise<ComputeServiceRecord[]> {
    return this.#compute.list('services.list', '/os-services', 'services');
  }
}
