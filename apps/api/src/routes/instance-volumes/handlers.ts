import { type AttachedVolume, presentAttachedVolumes } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { attachToInstance } from './attach-to-instance.ts';
import { detachFromInstance } from './detach-from-instance.ts';
import type { AttachVolumeBody } from './schemas.ts';

type InstanceParams = { instance_id: string };

/** Makes three calls, whatever the number of volumes. */
export async function listAttachedVolumes(
  request: RequestContext<InstanceParams>,
): Promise<AttachedVolume[]> {
  const { openstack, params } = request;
  const server = await getOwnServer(request, params.instance_id);
  const [attachments, volumes] = await Promise.all([
    openstack.compute.volumeAttachments.list(server.id),
    openstack.blockStorage.volumes.list(),
  ]);
  return presentAttachedVolumes(attachments, volumes, server);
}

export async function attachVolume(
  request: RequestContext<InstanceParams, unknown, AttachVolumeBody>,
): Promise<AttachedVolume> {
  return attachToInstance(request, request.params.instance_id, request.body.volume_id);
}

export async function detachVolume(
  request: RequestContext<{ instance_id: string; volume_id: string }>,
): Promise<void> {
  await detachFromInstance(request, request.params.instance_id, request.params.volume_id);
}
