import { type CatalogEntry, catalogEntry } from '../catalog.ts';
import { flag, key, text } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';

/** A service in the catalog. */
const catalogServiceRecord = declareRecord('identity', 'service', {
  id: key(),
  type: text(),
  name: text(),
  enabled: flag(true),
});

export type CatalogServiceRecord = RecordOf<typeof catalogServiceRecord>;

/** An address of a service. It may contain placeholders for the project. */
const catalogEndpointRecord = declareRecord('identity', 'endpoint', {
  id: key(),
  service_id: text(),
  /** `public`, `internal` or `admin`. */
  interface: text(),
  region_id: text(),
  url: text(),
  enabled: flag(true),
});

export type CatalogEndpointRecord = RecordOf<typeof catalogEndpointRecord>;

/** The stored catalog, for administrators, and that of the caller's project. */
export class Catalog {
  readonly #identity: ServiceClient;

  constructor(identity: ServiceClient) {
    this.#identity = identity;
  }

  /** The catalog of the caller's project, for everybody. */
  mine(): Promise<CatalogEntry[]> {
    return this.#identity.list('catalog.mine', '/auth/catalog', 'catalog', catalogEntry);
  }

  services(): Promise<CatalogServiceRecord[]> {
    return this.#identity.list('catalog.services', '/services', 'services', catalogServiceRecord);
  }

  endpoints(): Promise<CatalogEndpointRecord[]> {
    return this.#identity.list('catalog.endpoints', '/endpoints', 'endpoints', catalogEndpointRecord);
  }
}
