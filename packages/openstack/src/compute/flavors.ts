import { z } from 'zod';
import type { ListPage } from '../pagination.ts';
import { flag, integerOr, key, mapOf, numberOr, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf } from '../records/record.ts';
import { answeredValues, requireTaken } from '../require-taken.ts';
import type { ServiceClient } from '../service.ts';
import { namePath, type PageQuery, path } from '../url.ts';

const flavorRecord = declareRecord('compute', 'flavor', {
  id: key(),
  name: text(),
  vcpus: integerOr(0),
  /** MiB. */
  ram: integerOr(0),
  /** GiB. */
  disk: integerOr(0),
  /** MiB. */
  swap: integerOr(0),
  'OS-FLV-EXT-DATA:ephemeral': integerOr(0),
  'OS-FLV-DISABLED:disabled': flag(false),
  'os-flavor-access:is_public': flag(true),
  rxtx_factor: numberOr(1),
  description: textOrNull(),
  /** Since microversion 2.61. Policies can hide them from members. */
  extra_specs: mapOf(z.string()),
});

export type FlavorRecord = RecordOf<typeof flavorRecord>;

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
const flavorAccessRecord = declareRecord('compute', 'flavor_access', {
  flavor_id: text(),
  /** A project's id. */
  tenant_id: key(),
});

export type FlavorAccessRecord = RecordOf<typeof flavorAccessRecord>;

export class Flavors {
  readonly #compute: ServiceClient;

  constructor(compute: ServiceClient) {
    this.#compute = compute;
  }

  list(query?: FlavorQuery): Promise<FlavorRecord[]> {
    return this.#compute.list('flavors.list', '/flavors/detail', 'flavors', flavorRecord, query);
  }

  listPage(query: FlavorQuery & PageQuery): Promise<ListPage<FlavorRecord>> {
    return this.#compute.page('flavors.listPage', '/flavors/detail', 'flavors', flavorRecord, query);
  }

  get(id: string): Promise<FlavorRecord> {
    return this.#compute.getRecord('flavors.get', path`/flavors/${id}`, 'flavor', flavorRecord);
  }

  create(flavor: FlavorCreate): Promise<FlavorRecord> {
    return this.#compute.postRecord('flavors.create', '/flavors', 'flavor', flavorRecord, {
      flavor,
    });
  }

  /** Adds extra specs, or replaces those with the same key. */
  async setExtraSpecs(id: string, specs: Record<string, string>): Promise<void> {
    const url = path`/flavors/${id}/os-extra_specs`;
    const body = { extra_specs: specs };
    const taken = await this.#compute.postRecord(
      'flavors.setExtraSpecs',
      url,
      'extra_specs',
      answeredValues,
      body,
    );
    requireTaken('compute', specs, taken);
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
    return this.#compute.list(
      'flavors.listAccess',
      path`/flavors/${id}/os-flavor-access`,
      'flavor_access',
      flavorAccessRecord,
    );
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
