import type { ResourceName } from '@gateway/core';

/**
 * What a write does to a resource. `deleted`: the resource is gone when the response arrives. `deleting`: its
 * list shows for a while that it is being deleted.
 */
export interface Effect {
  resource: ResourceName;
  as: 'created' | 'updated' | 'deleting' | 'deleted';
  /** Further resources that may change with it. */
  touches?: readonly ResourceName[];
}

/** A resource that a write has changed. */
export interface WrittenResource {
  resource: ResourceName;
  as: Effect['as'];
  /** Null if it is not known which one. */
  id: string | null;
  /** Of what was created; null for none. */
  state: string | null;
}

/** What may have been updated, with its id if it is known. */
export function updated(resource: ResourceName, id: string | null = null): WrittenResource {
  return { resource, as: 'updated', id, state: null };
}

/** All resources of these effects, each once. */
export function resourcesOf(effects: readonly Effect[]): ResourceName[] {
  return [...new Set(effects.flatMap(({ resource, touches = [] }) => [resource, ...touches]))];
}
