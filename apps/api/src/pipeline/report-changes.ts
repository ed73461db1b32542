import type { ResourceName } from '@gateway/core';
import type { ReportedChange } from '@gateway/jobs';
import { dropLists } from '@gateway/resources';
import { touchedBy } from './changes-of.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Follows up a write in one or more projects: drops their cached lists, informs their listeners, and ends
 * auto backups whose volume is gone.
 *
 * @param changes what listeners learn; by default, that the resources may have changed, those of the path for
 * certain
 */
export async function reportChanges(
  request: Pick<RequestContext, 'app' | 'logger'> & Partial<Pick<RequestContext, 'params'>>,
  projectIds: string | readonly string[],
  changed: readonly ResourceName[],
  changes: readonly ReportedChange[] = touchedBy(changed, request.params),
): Promise<void> {
  const { app, logger } = request;
  await dropLists(app.cache, projectIds, changed);
  for (const projectId of [projectIds].flat()) {
    await app.changes
      .report({ projectId, changes })
      .catch((error: unknown) => logger.warn('Listeners do not learn of a change', { error }));
  }
  if (!changed.includes('volume')) return;
  try {
    for (const projectId of [projectIds].flat()) await app.autoBackups.store.requestVolumeCheck(projectId);
  } catch (error) {
    // The next run of an auto backup notices it.
    logger.warn('Auto backups without a volume end later', { error });
  }
}
