import { isNotFound } from '@gateway/openstack';
import type { ResourceName } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';

/** In both projects. The volume takes its snapshots along. */
export const CHANGED_BY_ACCEPTANCE: readonly ResourceName[] = ['volume', 'snapshot', 'transfer'];

/**
 * The project that offers the volume. Only it and administrators can read the transfer, so this takes the service user,
 * for nothing but the id of the project. Null if there is no such transfer or no service user with these rights: then the
 * lists of the other project stay as they are cached until they expire.
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
