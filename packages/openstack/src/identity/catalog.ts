import type { ServiceClient } from '../service.ts';

/** A service in the catalog. */
export interface CatalogServiceRecord {
  id: string;
  type: string;
  name?: string;
  enabled: boolean;
}

/** An address of a service. It may contain placeholders for the project. */
export interface CatalogEndpointRecord {
  id: string;
  service_id: string;
  interface: 'public' | 'internal' | 'admin';
  region_id?: string | null;
  url: string;
  enabled: boolean;
}

/** The stored catalog, not the catalog in a token; for administrators. */
export class Catalog {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  services(): Promise<CatalogServiceRecord[]> {
    return this.#identity.list('catalog.services', '/services', 'services');
  }

  endpoints(): Promise<CatalogEndpointRecord[]> {
    return this.#identity.list('catalog.endpoints', '/endpoints', 'endpoints');
  }
}
