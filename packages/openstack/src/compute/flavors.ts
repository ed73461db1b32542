import type { ListPage } from '../pagination.ts';
import { namePath, path } from '../path.ts';
import type { PageQuery } from '../query.ts';
import { requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';

export interface FlavorRecord {
  id: string;
  name: string;
  vcpus: number;
  /** MiB. */
  ram: number;
  /** GiB. */
  disk: number;
  /** MiB. */
  swap: number;
  'OS-FLV-EXT-DATA:ephemeral': number;
  'OS-FLV-DISABLED:disabled': boolean;
  'os-flavor-access:is_public': boolean;
  rxtx_factor: number;
  description: string | null;
  /** Since microversion 2.61. */
  extra_specs: Record<string, string>;
}

/** `None` lists public and private flavors; for administrators. */
type FlavorQuery = { is_public?: 'None' | 'true' | 'false' };

interface FlavorCreate {
  name: string;
  vcpus: number;
  ram: number;
  disk: number;
  id?: string;
  swap?: number;
  'OS-FLV-EXT-DATA:ephemeral'?: number;
  'os-flavor-access:is_public'?: boolean;
  description?: string | null;
}

/** A project that may use a private flavor. */
export interface FlavorAccessRecord {
  flavor_id: string;
  /** A project's id. */
  tenant_id: string;
}

export class Flavors {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(query?: FlavorQuery): Promise<FlavorRecord[]> {
    return this.#compute.list('flavors.list', '/flavors/detail', 'flavors', query);
  }

  listPage(query: FlavorQuery & PageQuery): Promise<ListPage<FlavorRecord>> {
    return this.#compute.page('flavors.listPage', '/flavors/detail', 'flavors', query);
  }

  get(id: string): Promise<FlavorRecord> {
    return this.#compute.getRecord<FlavorRecord>('flavors.get', path`/flavors/${id}`, 'flavor');
  }

  create(flavor: FlavorCreate): Promise<FlavorRecord> {
    return this.#compute.postRecord<FlavorRecord>('flavors.create', '/flavors', 'flavor', {
      flavor,
    });
  }

  /** Adds extra specs, or replaces those with the same key. */
  async setExtraSpecs(id: string, specs: Record<string, string>): Promise<void> {
    const url = path`/flavors/${id}/os-extra_specs`;
    const body = { extra_specs: specs };
    const taken = await this.#compute.postRecord<object>('flavors.setExtraSpecs', url, 'extra_specs', body);
    requireTaken('compute', specs, { ...taken });
  }

  /** Throws a 404 if the flavor has no such extra spec. */
  removeExtraSpec(id: string, key: string): Promise<void> {
    return this.#compute.remove(
      'flavors.removeExtraSpec',
      path`/flavors/${id}` + namePath`/os-extra_specs/${key}`,
    );
  }

  remove(id: string): Promise<void> {
    return this.#compute.remove('flavors.remove', path`/flavors/${id}`);
  }

  /** The projects that may use a private flavor. Throws a 404 for a public flavor. */
  listAccess(id: string): Promise<FlavorAccessRecord[]> {
    return this.#compute.list('flavors.listAccess', path`/flavors/${id}/os-flavor-access`, 'flavor_access');
  }

  /** Throws a 409 for a public flavor, and for a project that has access. */
  addAccess(id: string, projectId: string): Promise<void> {
    return this.#compute.postVoid('flavors.addAccess', path`/flavors/${id}/action`, {
      addTenantAccess: { tenant: projectId },
    });
  }

  /** Throws a 404 if the project has no access of its own. */
  removeAccess(id: string, projectId: string): Promise<void> {
    return this.#compute.postVoid('flavors.removeAccess', path`/flavors/${id}/action`, {
      removeTenantAccess: { tenant: projectId },
    });
  }
}
