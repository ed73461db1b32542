import type { ServiceClient } from '../service.ts';

/** What a resource provider, a host or a device of a host, has of a resource class. */
export interface ProviderResource {
  /** Without what is reserved, and with the allocation ratio. */
  capacity: number;
  used: number;
}

export interface ProviderSummary {
  /** By resource class. */
  resources: Record<string, ProviderResource>;
  parent_provider_uuid: string | null;
  root_provider_uuid: string;
}

/** A host is listed while it has any of these left. */
const HOST_RESOURCES = ['MEMORY_MB', 'VCPU', 'DISK_GB'];

export class Providers {
  readonly #placement: ServiceClient;

  constructor(placement: ServiceClient) {
    this.#placement = placement;
  }

  /**
   * The resources of all hosts and of their devices, by provider. For administrators.
   *
   * The service lists providers without their resources, but the candidates for an allocation with those of their
   * whole tree. So the number of calls does not grow with the hosts. A host without any free memory, processor and
   * disk is missing.
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
