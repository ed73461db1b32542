import { conflict } from '@gateway/core';
import type { VolumeAttachments } from './volume-attachments.ts';

/** `/dev/vda`, `/dev/sda`, `/dev/xvda`, … */
const FIRST_DISK = /^\/dev\/[a-z]+da$/;

/**
 * The volume of the first disk; the first volume if the host does not name the devices.
 *
 * @throws 409 for an instance without volumes
 */
export async function bootVolumeId(
  { volumeAttachments }: { readonly volumeAttachments: VolumeAttachments },
  instanceId: string,
): Promise<string> {
  const attached = await volumeAttachments.list(instanceId);
  const boot = attached.find(({ device }) => FIRST_DISK.test(device ?? '')) ?? attached[0];
  if (boot === undefined) throw conflict('unsuitable', 'The instance has no volume that it boots from.');
  return boot.volumeId;
}
