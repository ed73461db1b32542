import { type ConductorRecord, conductorRecord } from '../conductor-record.ts';
import type { ServiceClient } from '../service.ts';

/** For administrators. */
export class ContainerServices {
  readonly #container: ServiceClient;

  constructor(container: ServiceClient) {
    this.#container = container;
  }

  list(): Promise<ConductorRecord[]> {
    return this.#container.list('services.list', '/services', 'services', conductorRecord);
  }
}
