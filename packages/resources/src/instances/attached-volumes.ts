import type { VolumeAttachmentRecord, VolumeRecord } from '@gateway/openstack';
import type { AttachedVolume } from './attached-volume-shape.ts';

type AttachmentFields = Pick<
  VolumeAttachmentRecord,
  'volumeId' | 'serverId' | 'device' | 'delete_on_termination'
>;

/** @param server the instance that the volume is attached to */
export function presentAttachedVolume(
  attachment: AttachmentFields,
  volume: Pick<VolumeRecord, 'name' | 'size' | 'status'>,
  server: { name: string },
): AttachedVolume {
  return {
    id: attachment.volumeId,
    volume_id: attachment.volumeId,
    server_id: attachment.serverId,
    server_name: server.name,
    device: attachment.device ?? '',
    name: volume.name,
    size: volume.size,
    status: volume.status,
    delete_on_termination: attachment.delete_on_termination,
  };
}

/** The attached volumes of a server. Omits volumes that were deleted since the attachments were read. */
export function presentAttachedVolumes(
  attachments: readonly AttachmentFields[],
  volumes: readonly VolumeRecord[],
  server: { name: string },
): AttachedVolume[] {
  const byId = new Map(volumes.map((volume) => [volume.id, volume]));
  return attachments.flatMap((attachment) => {
    const volume = byId.get(attachment.volumeId);
    return volume === undefined ? [] : [presentAttachedVolume(attachment, volume, server)];
  });
}
