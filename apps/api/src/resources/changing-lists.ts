import type { ResourceName } from '@gateway/core';
import { reportChanges } from '../pipeline/report-changes.ts';
import type { RequestContext } from '../pipeline/request-context.ts';

/** The project whose lists a write changes besides those of the caller's project, or all projects. */
export type ListOwner = { projectId: string } | 'everybody';

/**
 * Runs a write of an administrator that also changes lists of other projects, and drops these lists, even
 * after an error, because a failed write may have had an effect. The lists of the caller's project, and those
 * of administrators, are dropped because of the endpoint's `writes`.
 */
export async function changingListsOf<T>(
  request: Pick<RequestContext, 'app' | 'logger' | 'openstack' | 'params'>,
  owner: ListOwner,
  changed: readonly ResourceName[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } finally {
    await reportChanges(request, await projectIdsOf(request, owner), changed);
  }
}

/** Lists that cannot be dropped, because the identity service is unavailable, expire by themselves. */
async function projectIdsOf(
  { logger, openstack }: Pick<RequestContext, 'logger' | 'openstack'>,
  owner: ListOwner,
): Promise<string[]> {
  if (owner !== 'everybody') return [owner.projectId];
  try {
    return (await openstack.identity.projects.list()).map(({ id }) => id);
  } catch (error) {
    logger.warn('The lists of all projects could not be dropped', { error });
    return [];
  }
}
