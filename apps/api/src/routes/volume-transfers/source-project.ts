import type { ResourceName } from '@gateway/core';
import { isNotFound } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** The resources that change in both projects. The snapshots are transferred with the volume. */
export const CHANGED_BY_ACCEPTANCE: readonly ResourceName[] = ['volume', 'snapshot', 'transfer'];

/**
 * Returns the id of the project that offers the volume. Only this project and administrators can read the
 * transfer, so the service user reads it. Returns null if the service user cannot; the cached lists of the
 * other project then expire by themselves.
 */
export async function readSourceProject(
  { app, logger, requestId }: RequestContext,
  transferId: string,
): Promise<string | null> {
  try {
    const service = await app.serviceAccount.bind({ requestId });
    return (await service?.blockStorage.transfers.get(transferId))?.source_project_id ?? null;
  } catch (error) {
    if (!isNotFound(error)) logger.warn('Failed to read which project offers a transfer', { error });
    return null;
  }
}
