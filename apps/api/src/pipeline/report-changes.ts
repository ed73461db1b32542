import type { ResourceName } from '@gateway/core';
import type { RequestContext } from './request-context.ts';
import { touchedIn } from './writes.ts';

/**
 * Informs the readers of writes that the handler has changed resources of these projects, besides what its
 * endpoint declares for the project of the caller.
 */
export async function reportChanges(
  request: Pick<RequestContext, 'app' | 'logger'> & Partial<Pick<RequestContext, 'params'>>,
  projectIds: string | readonly string[],
  changed: readonly ResourceName[],
): Promise<void> {
  const { app, logger, params } = request;
  const resources = touchedIn(changed, params);
  await app.activity.written(
    { projectIds: [projectIds].flat(), resources, userId: null, jobId: null },
    logger,
  );
}
