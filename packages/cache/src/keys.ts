import type { Encoding } from './compress.ts';

/** A list of a project, in all its variants: what a write drops. */
export interface CachedListKey {
  /** Name of the list; also a metric label. */
  list: string;
  /** Empty for a list that is the same in all projects. */
  projectId: string;
}

/** Where one cached response is stored. */
export interface CacheKey extends CachedListKey {
  /** Distinguishes the responses for different members of the project; created by `cacheKeyFor`. */
  variant: string;
}

/**
 * Which readers share a cached response: all, those of a project, those of a project with the same roles (for
 * services that show administrators more), or nobody else.
 */
export type VaryBy = 'nothing' | 'project' | 'roles' | 'user';

/** Who reads a list. */
export interface ListReader {
  projectId: string;
  userId: string;
  /** Names of the user's roles in the project, in any order. */
  roles: readonly string[];
}

/**
 * The cache key of a reader. It contains all roles, not only whether the caller is an administrator to the
 * gateway, because the services have policies of their own.
 */
export function cacheKeyFor(
  { name, varyBy }: { name: string; varyBy: VaryBy },
  { projectId, userId, roles }: ListReader,
): CacheKey {
  if (varyBy === 'nothing' || varyBy === 'project') {
    return { ...cachedListKeyFor({ name, varyBy }, projectId), variant: '' };
  }
  const byRoles = `:roles=${roles.toSorted().join(',')}`;
  return { list: name, projectId, variant: varyBy === 'roles' ? byRoles : `:user=${userId}${byRoles}` };
}

/** What a write in this project drops of a list. */
export function cachedListKeyFor(
  { name, varyBy }: { name: string; varyBy: VaryBy },
  projectId: string,
): CachedListKey {
  return { list: name, projectId: varyBy === 'nothing' ? '' : projectId };
}

/** The braces keep all keys of a list, with its variants, in one slot of a Redis Cluster. */
export function listKey({ list, projectId }: CachedListKey): string {
  return `cache:{${projectId}:${list}}`;
}

export function entryKey(key: CacheKey): string {
  return `${listKey(key)}${key.variant}`;
}

/** The same entry with a compressed body. */
export function encodedKey(key: CacheKey, encoding: Encoding): string {
  return `${entryKey(key)}:${encoding}`;
}

/** The version of the entry. A process compares it with that of the bytes that it holds. */
export function versionKey(key: CacheKey): string {
  return `${entryKey(key)}:version`;
}

export const GENERATION_TTL_SECONDS = 3600;

/**
 * The generation changes when the list is dropped; entries of an older generation are neither used nor
 * stored.
 */
export function generationKey(key: CachedListKey): string {
  return `${listKey(key)}:generation`;
}

/**
 * Held by the process that loads the list from the cloud. Readers after a drop do not wait for loads from
 * before it.
 */
export function lockKey(key: CacheKey, generation: string): string {
  return `${entryKey(key)}:lock:${generation}`;
}
