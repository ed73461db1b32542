import { conflict, forbidden } from '@gateway/core';
import {
  type BlockStorageAttachmentRecord,
  type BlockStorageClient,
  describeAttached,
  UpstreamError,
  type VolumeRecord,
} from '@gateway/openstack';
import { volumeActions } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnVolume } from '../../resources/own-records.ts';
import { requireAction } from '../../resources/require-action.ts';
import { deleteVolumeOfProject, requireNoSnapshots } from './delete-volume.ts';

const RESET_FIRST = new Set(['error', 'error_deleting']);

/** Deletes a volume, also in the states `error` and `error_deleting`. */
export async function forceDeleteVolumeOfProject(request: RequestContext, volumeId: string): Promise<void> {
  const volume = await getOwnVolume(request, volumeId);
  requireAction(request, volumeActions.force_delete, volume);
  if (RESET_FIRST.has(volume.status)) await makeAvailable(request, volumeId);
  await deleteVolumeOfProject(request, volumeId);
}

/**
 * Resets the state to `available`. Only an administrator may do that, so the gateway uses its service user,
 * after it has checked that the caller may change the volume. The delete that follows is sent with the
 * caller's token. The service performs it only if the volume is `available` and not attached.
 * `os-force_delete` would delete a volume in any state, also one that is being attached.
 */
async function makeAvailable(request: RequestContext, volumeId: string): Promise<void> {
  const { blockStorage } = request.openstack;
  await requireNoSnapshots(request, volumeId);
  await blockStorage.volumes.addMetadata(volumeId, {});
  const privileged = await blockStorageToReset(request);
  const { volume, attachments } = await readAnew(request, volumeId);
  if (!RESET_FIRST.has(volume.status)) return;
  requireUnattached(volume, attachments);
  try {
    await privileged.volumes.resetStatus(volumeId, 'available');
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // The service deletes a volume in the state `error` without a reset.
    if (volume.status === 'error') return;
    throw forbidden(`Only an administrator can delete a volume in the state ${volume.status}.`, {
      cause: error,
    });
  }
  await revertIfAttached(request, volumeId, privileged);
}

/** The client of the service user if it is an administrator, else the client of the caller. */
async function blockStorageToReset({
  app,
  caller,
  openstack,
  requestId,
}: RequestContext): Promise<BlockStorageClient> {
  const call = { requestId };
  const administrator = await app.serviceAccount.identityForProject(caller.identity.projectId, call);
  const service = administrator === null ? null : await app.serviceAccount.bind(call);
  return (service ?? openstack).blockStorage;
}

/**
 * Another client may have attached the volume between the check and the reset, which then has overwritten the
 * state. Restores that state.
 *
 * @throws 409 if the volume is attached
 */
async function revertIfAttached(
  request: RequestContext,
  volumeId: string,
  privileged: BlockStorageClient,
): Promise<void> {
  const { volume, attachments } = await readAnew(request, volumeId);
  if (attachments.length > 0 && volume.status === 'available') {
    await privileged.volumes.resetStatus(volumeId, isInUse(volume, attachments) ? 'in-use' : 'reserved');
  }
  requireUnattached(volume, attachments);
}

interface Attachable {
  volume: VolumeRecord;
  /** Includes reservations. */
  attachments: BlockStorageAttachmentRecord[];
}

async function readAnew(request: RequestContext, volumeId: string): Promise<Attachable> {
  const [volume, attachments] = await Promise.all([
    getOwnVolume(request, volumeId),
    request.openstack.blockStorage.attachments.listByVolume(volumeId),
  ]);
  return { volume, attachments };
}

/** Attached, and not only reserved. */
function isInUse(volume: VolumeRecord, attachments: readonly BlockStorageAttachmentRecord[]): boolean {
  return (volume.attachments ?? attachments.filter(({ status }) => status === 'attached')).length > 0;
}

/** Only the record of the volume names hosts. */
function requireUnattached(volume: VolumeRecord, attachments: readonly BlockStorageAttachmentRecord[]) {
  const [attachment] = attachments;
  if (attachment === undefined) return;
  const shown = volume.attachments?.find(({ attachment_id }) => attachment_id === attachment.id);
  const where = describeAttached({
    server_id: attachment.instance,
    host_name: shown?.host_name ?? null,
  });
  throw conflict(
    'in_use',
    `The volume cannot be deleted in its state ${volume.status}: it is attached to ${where}.`,
  );
}

function isForbidden(error: unknown): boolean {
  return error instanceof UpstreamError && error.upstreamStatus === 403;
}
