import type { ResourceName } from '@gateway/core';
import type { BoundClient } from '@gateway/openstack';
import type { ServiceName, TimeLimits } from '@gateway/platform';
import type { MarkedResource } from './marked-resource.ts';
import type { RemovalOptions, RemovalRights } from './removal.ts';

/** One kind of what jobs create in the services. */
export interface ResourceKind {
  /**
   * The first and the longest interval between two checks of a wait for it, in polling intervals of the
   * configuration. They depend on how long the kind usually takes. Null if nothing waits for it.
   */
  poll: readonly [first: number, max: number] | null;
  /** Null if administrators cannot find and remove what the gateway has left of it. */
  leftovers: LeftoverKind | null;
}

/** How what is left of a kind is found by its mark, and removed. */
export interface LeftoverKind {
  /** The resource of the interface with which the list of leftovers changes. */
  resource: ResourceName;
  service: ServiceName;
  /** All of all projects, whether the gateway has created them or not. */
  list(openstack: BoundClient, each: (resource: MarkedResource) => void): Promise<unknown>;
  /** @throws 404 */
  get(openstack: BoundClient, id: string): Promise<MarkedResource>;
  /**
   * Removes it and waits until it is gone. Some services would remove a resource that has got an owner since
   * the read. There, only the revision that was read is removed.
   */
  remove(
    rights: RemovalRights,
    resource: Pick<MarkedResource, 'id' | 'revision'>,
    /** The options of a removal that waits for its end, by the keys of its time limit and of a creation's. */
    within: (limit: keyof TimeLimits, creation?: keyof TimeLimits) => RemovalOptions,
  ): Promise<void>;
}

/** Of the resources of all projects. */
export const EVERYWHERE = { all_tenants: 1 } as const;
