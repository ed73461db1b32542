import { conflict, forbidden } from '@gateway/core';
import {
  type BlockStorageAttachmentRecord,
  type BlockStorageClient,
  UpstreamError,
  type VolumeRecord,
} from '@gateway/openstack';
import { getVolumeOfProject } from '../../flows/read-volume.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { deleteVolumeOfProject, requireNoSnapshots } from './delete-volume.ts';

const RESET_FIRST = new Set(['error', 'error_deleting']);

/** Deletes a volume, also from the states in which a failed operation left it. */
export async function forceDeleteVolumeOfProject(request: RequestContext, volumeId: string): Promise<void> {
  const volume = await getVolumeOfProject(request, volumeId);
  if (RESET_FIRST.has(volume.status)) await makeAvailable(request, volumeId);
  await deleteVolumeOfProject(request, volumeId);
}

/**
 * Resets the state, which takes an administrator's rights, in general those of the gateway. So the caller's own rights
 * to the volume are checked first. The delete after it is the caller's again, and the service performs it only on a
 * volume that is `available` and not attached.
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
    // The service deletes a volume in the state `error` as it is.
    if (volume.status === 'error') return;
    throw forbidden(`Only an administrator can delete a volume in the state ${volume.status}.`, {
      cause: error,
    });
  }
  await takeBackIfAttached(request, volumeId, privileged);
}

/** With the rights of the service user if it is an administrator, else with those of the caller. */
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
 * Between the check and the reset, somebody else may have attached the volume, whose state the reset has then
 * overwritten. Sets that state again and refuses.
 */
async function takeBackIfAttached(
  request: RequestContext,
  volumeId: string,
  privileged: BlockStorageClient,
): Promise<void> {
  const { volume, attachments } = await readAnew(request, volumeId);
  if (attachments.length > 0 && volume.status === 'available') {
    await privileged.volumes.resetStatus(volumeId, volume.attachments.length > 0 ? 'in-use' : 'reserved');
  }
  requireUnattached(volume, attachments);
}

interface Attachable {
  volume: VolumeRecord;
  /** With those that are only being made. */
  attachments: BlockStorageAttachmentRecord[];
}

async function readAnew(request: RequestContext, volumeId: string): Promise<Attachable> {
  const [volume, attachments] = await Promise.all([
    getVolumeOfProject(request, volumeId),
    request.openstack.blockStorage.attachments.listByVolume(volumeId),
  ]);
  return { volume, attachments };
}

function requireUnattached({ status }: VolumeRecord, attachments: readonly BlockStorageAttachmentRecord[]) {
  const [attachment] = attachments;
  if (attachment === undefined) return;
  const where = attachment.instance === null ? '' : ` to the instance ${attachment.instance}`;
  throw conflict(`The volume can not be deleted in its state ${status}: it is attached${where}.`);
}

function isForbidden(error: unknown): boolean {
  return error instanceof UpstreamError && error.upstreamStatus === 403;
}
