import type { Encoding } from './compress.ts';

/** A list of a project, in all its variants: what a write drops. */
export interface CachedListKey {
  /** Name of the list; also a metric label. */
  list: string;
  /** Empty for a list that is the same in all projects. */
  projectId: string;
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

/** Where one cached response is stored. Build it once for many reads: its names are composed only once. */
export class CacheKey implements CachedListKey {
  readonly list: string;
  readonly projectId: string;
  /** The key of the entry in Redis. */
  readonly entry: string;
  /** The key of the entry's version. A process compares it with that of the bytes that it holds. */
  readonly version: string;
  /** As `generationKey`. */
  readonly generation: string;
  /** The key of what the last read has seen in transition, which outlives the entry. */
  readonly seen: string;

  /** @param variant distinguishes the responses for different members of the project */
  constructor({ list, projectId }: CachedListKey, variant: string) {
    this.list = list;
    this.projectId = projectId;
    this.entry = `${listKey(this)}${variant}`;
    this.version = `${this.entry}:version`;
    this.seen = `${this.entry}:seen`;
    this.generation = generationKey(this);
  }
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
    return new CacheKey(cachedListKeyFor({ name, varyBy }, projectId), '');
  }
  const byRoles = `:roles=${JSON.stringify(roles.toSorted())}`;
  const variant = varyBy === 'roles' ? byRoles : `:user=${userId}${byRoles}`;
  return new CacheKey({ list: name, projectId }, variant);
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

/** The same entry with a compressed body. */
export function encodedKey(key: CacheKey, encoding: Encoding): string {
  return `${key.entry}:${encoding}`;
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
  return `${key.entry}:lock:${generation}`;
}
