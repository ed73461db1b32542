import { newUuid } from '../common/ids.ts';
import { badRequest, conflict, notFound } from '../common/service-error.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { owns } from '../http/policy.ts';
import type { BlockStorageCall, BlockStorageCloud } from './cloud.ts';
import type { Volume } from './state.ts';
import { setStatus } from './volumes.ts';

/** Reserves an available volume for a server. Only the compute service calls this. */
export function reserveVolume(cloud: BlockStorageCloud, volume: Volume, serverId: string): void {
  const [attached] = volume.attachments;
  if (attached !== undefined)
    throw badRequest(
      `Invalid volume: volume ${volume.id} is already attached to instances: ${attached.serverId}`,
    );
  if (volume.status !== 'available')
    throw badRequest(
      `Invalid input received: Invalid volume: status must be available or downloading to reserve, but the current status is ${volume.status}. (HTTP 400)`,
    );
  volume.reservation = { id: newUuid(), serverId };
  setStatus(cloud, volume, 'reserved');
}

export function attachVolume(
  cloud: BlockStorageCloud,
  volume: Volume,
  serverId: string,
  device: string,
): string {
  const attachment = {
    id: volume.reservation?.id ?? newUuid(),
    serverId,
    device,
    attachedMs: cloud.clock.now(),
  };
  volume.reservation = null;
  volume.attachments = [attachment];
  setStatus(cloud, volume, 'in-use');
  return attachment.id;
}

/** Detaches the volume from its server, or cancels its reservation. */
export function detachVolume(cloud: BlockStorageCloud, volume: Volume): void {
  volume.attachments = [];
  volume.reservation = null;
  if (volume.status !== 'deleting') setStatus(cloud, volume, 'available');
}

/** Attachments in the format of the attachments API, including reservations. */
function attachmentsOf(volume: Volume): { id: string; serverId: string; status: string }[] {
  const attached = volume.attachments.map(({ id, serverId }) => ({ id, serverId, status: 'attached' }));
  const { reservation } = volume;
  return reservation === null ? attached : [{ ...reservation, status: volume.status }];
}

function ownVolumes({ cloud, caller }: BlockStorageCall): Volume[] {
  return [...cloud.blockStorage.volumes.values()].filter(({ projectId }) => owns(caller, projectId));
}

function list(call: BlockStorageCall): Reply {
  const volumeId = call.query.get('volume_id');
  const attachments = ownVolumes(call)
    .filter(({ id }) => volumeId === null || id === volumeId)
    .flatMap((volume) =>
      attachmentsOf(volume).map(({ id, serverId, status }) => ({
        id,
        status,
        instance: serverId,
        volume_id: volume.id,
      })),
    );
  return ok({ attachments });
}

/** Deletes an attachment. While the server exists, only the compute service may do so. */
function remove(call: BlockStorageCall): Reply {
  const { cloud } = call;
  const id = call.params.id ?? '';
  for (const volume of ownVolumes(call)) {
    const attachment = attachmentsOf(volume).find((candidate) => candidate.id === id);
    if (attachment === undefined) continue;
    if (cloud.compute.servers.has(attachment.serverId))
      throw conflict(`Detach volume from instance ${attachment.serverId} using the Compute API`);
    detachVolume(cloud, volume);
    return ok({ attachments: [] });
  }
  throw notFound(`Volume attachment could not be found with filter: attachment_id = ${id}.`);
}

export const attachmentOperations: Operation<BlockStorageCloud>[] = [
  operation('attachments.list', 'GET /attachments', list),
  operation('attachments.delete', 'DELETE /attachments/:id', remove),
];
