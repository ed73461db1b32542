import { cachedListKeyFor, type ListCache } from '@gateway/cache';
import { CachedList } from './cached-list.ts';
import type { ResourceName } from './resource-name.ts';
import * as exported from './resources.ts';

/** Every cached list that a resource exports. */
export const cachedLists: readonly CachedList<unknown>[] = Object.values(exported).filter(
  (value) => value instanceof CachedList,
);

/**
 * Drops the lists of the project, and those common to all projects, that depend on any of the changed resources. Await it
 * before the response of a write, and before the last message of a job.
 */
export function dropLists(
  cache: ListCache,
  projectId: string,
  changed: readonly ResourceName[],
): Promise<void> {
  const stale = cachedLists.filter(({ dependsOn }) =>
    dependsOn.some((resource) => changed.includes(resource)),
  );
  return cache.drop(...stale.map((list) => cachedListKeyFor(list, projectId)));
}
