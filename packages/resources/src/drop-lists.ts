import { type CachedListKey, cachedListKeyFor, type ListCache } from '@gateway/cache';
import type { ResourceName } from '@gateway/core';
import { CachedList } from './lists/cached-list.ts';
import { ListsByScope } from './lists/lists-by-scope.ts';
import * as exported from './resources.ts';

/** All cached lists that the resources export. */
export const cachedLists: readonly CachedList<unknown>[] = Object.values<unknown>(exported)
  .flatMap((value) => (value instanceof ListsByScope ? [value.project, value.cloud] : value))
  .filter((value) => value instanceof CachedList);

/** The number of lists that one round trip to the cache drops. */
const BATCH_SIZE = 1000;

/**
 * Drops the lists that depend on any of the changed resources: those of one or several projects, and
 * those common to all projects. Await it before the response of a write, and before the last message of
 * a job. See decision 15.
 */
export async function dropLists(
  cache: ListCache,
  projectIds: string | readonly string[],
  changed: readonly ResourceName[],
): Promise<void> {
  const stale = cachedLists.filter(({ dependsOn }) =>
    dependsOn.some((resource) => changed.includes(resource)),
  );
  const keys = new Map<string, CachedListKey>();
  for (const projectId of [projectIds].flat()) {
    for (const list of stale) {
      const key = cachedListKeyFor(list, projectId);
      keys.set(`${key.projectId}:${key.list}`, key);
    }
  }
  const all = [...keys.values()];
  for (let start = 0; start < all.length; start += BATCH_SIZE) {
    await cache.drop(...all.slice(start, start + BATCH_SIZE));
  }
}
