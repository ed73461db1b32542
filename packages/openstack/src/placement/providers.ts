import { path } from '../path.ts';
import type { ServiceClient } from '../service.ts';

/** The amount of one resource class at one resource provider. A provider is a host, or a device of a host. */
interface ProviderResource {
  /** The total without the reserved part, multiplied by the allocation ratio. */
  capacity: number;
  used: number;
}

export interface ProviderSummary {
  /** By resource class. */
  resources: Record<string, ProviderResource>;
  traits?: string[];
  parent_provider_uuid: string | null;
  root_provider_uuid: string;
}

/** A resource provider's amount of a resource class, and how much of it may be allocated. */
export interface ProviderInventory {
  total: number;
  reserved: number;
  allocation_ratio: number;
}

/** A resource provider without its resources. */
export interface ProviderRecord {
  uuid: string;
  name: string;
  parent_provider_uuid: string | null;
  root_provider_uuid: string;
}

/** The result contains a host if at least one of these resources is not used up. */
const HOST_RESOURCES = ['MEMORY_MB', 'VCPU', 'DISK_GB'];

export class Providers {
  readonly #placement: ServiceClient;

  constructor(placement: ServiceClient) {
    this.#placement = placement;
  }

  /** All hosts and their devices, or those with the trait or in one of the aggregates. For administrators. */
  list(query: { required?: string; member_of?: string } = {}): Promise<ProviderRecord[]> {
    return this.#placement.getRecord('providers.list', '/resource_providers', 'resource_providers', query);
  }

  /** The ids of the aggregates that the provider is in. For administrators. */
  aggregates(id: string): Promise<string[]> {
    return this.#placement.getRecord(
      'providers.aggregates',
      path`/resource_providers/${id}/aggregates`,
      'aggregates',
    );
  }

  /** Inventories by resource class. For administrators. */
  inventories(id: string): Promise<Record<string, ProviderInventory>> {
    return this.#placement.getRecord(
      'providers.inventories',
      path`/resource_providers/${id}/inventories`,
      'inventories',
    );
  }

  /** Allocated amounts by resource class. For administrators. */
  usages(id: string): Promise<Record<string, number>> {
    return this.#placement.getRecord('providers.usages', path`/resource_providers/${id}/usages`, 'usages');
  }

  /**
   * The resources of all hosts and their devices, by provider id. For administrators.
   *
   * The service's list of providers contains no resources, but its list of allocation candidates contains
   * those of the host and all of its devices. This method therefore needs three calls, however many hosts
   * there are. A host whose memory, processors and disk are all used up is missing from the result.
   */
  async summaries(): Promise<Map<string, ProviderSummary>> {
    const answers = await Promise.all(
      HOST_RESOURCES.map((resource) =>
        this.#placement.getRecord<Record<string, ProviderSummary>>(
          'providers.summaries',
          '/allocation_candidates',
          'provider_summaries',
          { resources: `${resource}:1` },
        ),
      ),
    );
    return new Map(answers.flatMap((summaries) => Object.entries(summaries)));
  }
}
