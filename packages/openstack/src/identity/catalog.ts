import type { CatalogEntry } from '../catalog.ts';
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

/** The stored catalog, for administrators, and that of the caller's project. */
export class Catalog {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** The catalog of the caller's project, for everybody. */
  mine(): Promise<CatalogEntry[]> {
    return this.#identity.list('catalog.mine', '/auth/catalog', 'catalog');
  }

  services(): Promise<CatalogServiceRecord[]> {
    return this.#identity.list('catalog.services', '/services', 'services');
  }

  endpoints(): Promise<CatalogEndpointRecord[]> {
    return this.#identity.list('catalog.endpoints', '/endpoints', 'endpoints');
  }
}
