import { dropLists, type ResourceName } from '@gateway/views';
import type { RequestContext } from './request-context.ts';

/**
 * Follows up a write in one or more projects: drops their cached lists, and ends auto backups whose volume is
 * gone.
 */
export async function reportChanges(
  { app, logger }: Pick<RequestContext, 'app' | 'logger'>,
  projectIds: string | readonly string[],
  changed: readonly ResourceName[],
): Promise<void> {
  await dropLists(app.cache, projectIds, changed);
  if (!changed.includes('volume')) return;
  try {
    for (const projectId of [projectIds].flat()) await app.autoBackups.store.requestVolumeCheck(projectId);
  } catch (error) {
    // The next run of an auto backup notices it.
    logger.warn('Auto backups without a volume end later', { error });
  }
}
