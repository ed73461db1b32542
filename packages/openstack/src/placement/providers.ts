import { z } from 'zod';
import { integerOr, item, key, listOf, mapOf, numberOr, text, textOrNull } from '../records/fields.ts';
import { declareRecord, type RecordOf, RecordReader } from '../records/record.ts';
import type { ServiceClient } from '../service.ts';
import { path } from '../url.ts';

/** The amount of one resource class at one resource provider. A provider is a host, or a device of a host. */
const amount = item({
  /** The total without the reserved part, multiplied by the allocation ratio. */
  capacity: z.int(),
  used: z.int(),
});

const providerSummary = item({
  /** By resource class. */
  resources: mapOf(amount),
  traits: listOf(key()),
  parent_provider_uuid: textOrNull(),
  root_provider_uuid: text(),
});

export type ProviderSummary = z.output<typeof providerSummary>;

/** A resource provider's amount of a resource class, and how much of it may be allocated. */
const inventory = item({ total: z.int(), reserved: integerOr(0), allocation_ratio: numberOr(1) });

export type ProviderInventory = z.output<typeof inventory>;

/** A resource provider without its resources. */
const providerRecord = declareRecord('placement', 'provider', {
  uuid: key(),
  name: text(),
  parent_provider_uuid: textOrNull(),
  root_provider_uuid: text(),
});

export type ProviderRecord = RecordOf<typeof providerRecord>;

/** By resource class. */
const inventories = new RecordReader('inventories', mapOf(inventory));
const usages = new RecordReader('usages', mapOf(z.int()));
/** By provider. */
const summaries = new RecordReader('provider_summaries', mapOf(providerSummary));
const aggregates = new RecordReader('aggregates', listOf(key()));

/** The result contains a host if at least one of these resources is not used up. */
const HOST_RESOURCES = ['MEMORY_MB', 'VCPU', 'DISK_GB'];

export class Providers {
  readonly #placement: ServiceClient;

  constructor(placement: ServiceClient) {
    this.#placement = placement;
  }

  /** All hosts and their devices, or those with the trait or in one of the aggregates. For administrators. */
  list(query: { required?: string; member_of?: string } = {}): Promise<ProviderRecord[]> {
    return this.#placement.list(
      'providers.list',
      '/resource_providers',
      'resource_providers',
      providerRecord,
      query,
    );
  }

  /** The ids of the aggregates that the provider is in. For administrators. */
  aggregates(id: string): Promise<string[]> {
    return this.#placement.getRecord(
      'providers.aggregates',
      path`/resource_providers/${id}/aggregates`,
      'aggregates',
      aggregates,
    );
  }

  /** Inventories by resource class. For administrators. */
  inventories(id: string): Promise<Record<string, ProviderInventory>> {
    return this.#placement.getRecord(
      'providers.inventories',
      path`/resource_providers/${id}/inventories`,
      'inventories',
      inventories,
    );
  }

  /** Allocated amounts by resource class. For administrators. */
  usages(id: string): Promise<Record<string, number>> {
    return this.#placement.getRecord(
      'providers.usages',
      path`/resource_providers/${id}/usages`,
      'usages',
      usages,
    );
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
        this.#placement.getRecord(
          'providers.summaries',
          '/allocation_candidates',
          'provider_summaries',
          summaries,
          { resources: `${resource}:1` },
        ),
      ),
    );
    return new Map(answers.flatMap((ofHosts) => Object.entries(ofHosts)));
  }
}
