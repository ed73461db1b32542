import type { AutoBackup } from '@gateway/auto-backup';
import { GatewayError, notFound } from '@gateway/core';
import { isNotFound } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnVolume } from '../../resources/own-records.ts';

/** The auto backup of a volume. One whose volume is gone is 404 at once, although it is about to end. */
export async function findAutoBackup(request: RequestContext, volumeId: string): Promise<AutoBackup> {
  const { projectId } = request.caller.identity;
  const configuration = await request.app.autoBackups.store.readOfVolume(projectId, volumeId);
  if (configuration === null || (await isVolumeGone(request, configuration))) throw noAutoBackup();
  return configuration;
}

export function noAutoBackup() {
  return notFound('The volume has no auto backup in this project.');
}

/**
 * One read does not end what a user has set up: the workers confirm it. While the service is unavailable, the
 * volume counts as there.
 */
async function isVolumeGone(
  request: RequestContext,
  { id, missingSince, projectId, volumeId }: AutoBackup,
): Promise<boolean> {
  const { autoBackups, clock } = request.app;
  const { store } = autoBackups;
  try {
    await getOwnVolume(request, volumeId);
  } catch (error) {
    if (error instanceof GatewayError && error.status >= 500) return missingSince !== null;
    if (!isNotFound(error)) throw error;
    await store.markMissing(id, clock.now());
    await store.requestVolumeCheck(projectId);
    return true;
  }
  if (missingSince !== null) await store.markFound(id);
  return false;
}
