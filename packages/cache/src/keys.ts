/** The lists that are cached, by name; a metric label and part of the key. */
export type CachedListName = 'instances' | 'images' | 'flavors' | 'computeLimits' | 'storageLimits';

/** A list of a project, in all its variants: what a write drops. */
export interface CachedListKey {
  list: CachedListName;
  projectId: string;
}

/** Where one cached answer is stored. */
export interface CacheKey extends CachedListKey {
  /** Tells the answers apart that different members of the project get; made by `cacheKeyFor`. */
  variant: string;
}

/**
 * What the answers of a list depend on: on the project alone, also on the caller's roles there (a service that shows
 * administrators more), or also on who the user is.
 */
export type ListDependence = 'project' | 'roles' | 'user';

/** Who reads a list. */
export interface ListReader {
  projectId: string;
  userId: string;
  /** Names of the user's roles in the project, in any order. */
  roles: readonly string[];
}

/**
 * The only place where such a key is made. It names all roles, and not only whether the gateway takes the caller for
 * an administrator: the services have policies of their own.
 */
export function cacheKeyFor(
  { list, dependsOn }: { list: CachedListName; dependsOn: ListDependence },
  { projectId, userId, roles }: ListReader,
): CacheKey {
  if (dependsOn === 'project') return { list, projectId, variant: '' };
  const byRoles = `:roles=${roles.toSorted().join(',')}`;
  return { list, projectId, variant: dependsOn === 'roles' ? byRoles : `:user=${userId}${byRoles}` };
}

/** Braces keep the keys of one list, with all its variants, in one slot of a Redis Cluster. */
function listKey({ list, projectId }: CachedListKey): string {
  return `cache:{${projectId}:${list}}`;
}

export function entryKey(key: CacheKey): string {
  return `${listKey(key)}${key.variant}`;
}

/** Changes whenever the list is dropped: an entry of an older generation is not used, and none is stored. */
export function generationKey(key: CachedListKey): string {
  return `${listKey(key)}:generation`;
}

/** Held by the process that reads the list from the cloud; readers after a drop do not wait for older ones. */
export function lockKey(key: CacheKey, generation: string): string {
  return `${entryKey(key)}:lock:${generation}`;
}
