import { presentVolume } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnVolume } from '../../resources/own-volume.ts';
import { deleteVolumeOfProject } from './delete-volume.ts';
import { forceDeleteVolumeOfProject } from './force-delete.ts';
import type { CreateVolumeBody } from './schemas.ts';

type VolumeRequest = RequestContext<{ volume_id: string }>;

export async function getVolume(request: VolumeRequest) {
  return presentVolume(await getOwnVolume(request, request.params.volume_id));
}

export async function createVolume(request: RequestContext<unknown, unknown, CreateVolumeBody>) {
  const { name, size_gb, availability_zone } = request.body;
  const { volumes } = request.openstack.blockStorage;
  const volume = await createOnce(request, {
    create: (metadata) => volumes.create({ name, size: size_gb, availability_zone, metadata }),
    list: () => volumes.listByName(name),
  });
  return presentVolume(volume);
}

export async function deleteVolume(request: VolumeRequest): Promise<void> {
  await deleteVolumeOfProject(request, request.params.volume_id);
}

export async function forceDeleteVolume(request: VolumeRequest): Promise<void> {
  await forceDeleteVolumeOfProject(request, request.params.volume_id);
}
