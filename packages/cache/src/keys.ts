/** The lists that are cached, by name; a metric label and part of the key. */
export type CachedListName = 'instances' | 'images' | 'flavors' | 'computeLimits' | 'storageLimits';

/**
 * Where a cached answer stands. The project is always part of it, the user where the answer depends on who
 * asks: an answer can only be found by a caller who was let in to that project.
 */
export interface CacheKey {
  list: CachedListName;
  projectId: string;
  userId?: string;
}

/** Braces keep the keys of one entry in one slot of a Redis Cluster. */
export function entryKey({ list, projectId, userId }: CacheKey): string {
  return `cache:{${projectId}:${list}${userId === undefined ? '' : `:${userId}`}}`;
}

/** Changes whenever the list is dropped, so that a read which began before is recognised and not stored. */
export function generationKey(key: CacheKey): string {
  return `${entryKey(key)}:generation`;
}

/** Held by the process that reads the list from the cloud; readers after a drop do not wait for older ones. */
export function lockKey(key: CacheKey, generation: string): string {
  return `${entryKey(key)}:lock:${generation}`;
}
