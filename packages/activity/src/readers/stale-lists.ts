import type { ListCache } from '@gateway/cache';
import { dropLists } from '@gateway/resources';
import type { ActivityReader } from '../activity-readers.ts';

/** Drops the cached lists that depend on what was written. */
export function staleLists(cache: ListCache): ActivityReader {
  return {
    problem: 'Cached lists are not dropped',
    isRequired: true,
    written: ({ projectIds, resources }) =>
      dropLists(
        cache,
        projectIds,
        resources.map(({ resource }) => resource),
      ),
  };
}
