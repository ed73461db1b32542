import { planVolume, type RequestedVolume } from '@gateway/openstack';
import { followResourceJob } from '../../flows/follow-resource-job.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { createOnce } from '../../resources/create-once.ts';
import { getOwnVolume } from '../../resources/own-records.ts';
import { deleteVolumeOfProject } from './delete-volume.ts';
import { forceDeleteVolumeOfProject } from './force-delete.ts';
import { presentNamed } from './present.ts';
import type { CreateVolumeBody } from './schemas.ts';

type VolumeRequest = RequestContext<{ volume_id: string }>;
type CreateRequest = RequestContext<unknown, unknown, CreateVolumeBody>;

export async function getVolume(request: VolumeRequest) {
  return presentNamed(request, await getOwnVolume(request, request.params.volume_id));
}

export async function createVolume(request: CreateRequest) {
  const { caller, openstack } = request;
  const wanted = await planVolume(openstack, caller.identity.projectId, requestedIn(request));
  const { volumes } = openstack.blockStorage;
  const volume = await createOnce(request, {
    service: 'blockStorage',
    create: (metadata) => volumes.create({ ...wanted, metadata }),
    list: () => volumes.listByName(wanted.name),
  });
  return presentNamed(request, volume);
}

export function createVolumeAsync(request: CreateRequest) {
  const wanted = requestedIn(request);
  return followResourceJob(request, 'volume.create', wanted, { resourceName: wanted.name });
}

function requestedIn({ body }: CreateRequest): RequestedVolume {
  return {
    name: body.name,
    description: body.description ?? null,
    sizeGb: body.size_gb ?? null,
    imageId: body.image_id ?? null,
    snapshotId: body.snapshot_id ?? null,
    sourceVolumeId: body.source_volume_id ?? null,
    volumeType: body.volume_type ?? null,
    availabilityZone: body.availability_zone ?? null,
  };
}

export async function deleteVolume(request: VolumeRequest): Promise<void> {
  await deleteVolumeOfProject(request, request.params.volume_id);
}

export async function forceDeleteVolume(request: VolumeRequest): Promise<void> {
  await forceDeleteVolumeOfProject(request, request.params.volume_id);
}
