import type { ServiceClient } from '../service.ts';

/** An engine of the orchestration service. */
export interface OrchestrationServiceRecord {
  id: string;
  binary: string;
  hostname: string;
  host: string;
  /** `up` or `down`. */
  status: string;
  updated_at: string | null;
}

/** For administrators. */
export class OrchestrationServices {
  readonly #orchestration: ServiceClient;

  constructor(orchestration: ServiceClient) {
    this.#orchestration = orchestration;
  }

  list(): Promise<OrchestrationServiceRecord[]> {
    return this.#orchestration.list('services.list', '/services', 'services');
  }
}
