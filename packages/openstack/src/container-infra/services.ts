import { type ConductorRecord, conductorRecord } from '../conductor-record.ts';
import type { ServiceClient } from '../service.ts';

/** For administrators. */
export class ContainerInfraServices {
  readonly #containerInfra: ServiceClient;

  constructor(containerInfra: ServiceClient) {
    this.#containerInfra = containerInfra;
  }

  list(): Promise<ConductorRecord[]> {
    return this.#containerInfra.list('services.list', '/mservices', 'mservices', conductorRecord);
  }
}
