import { GatewayError, mapInSlices } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import { CachedList, type LoadSources } from './cached-list.ts';
import { flavorList } from './flavors.ts';
import { visibleUserNames } from './identity/users.ts';
import { imageList } from './images.ts';
import {
  completeInstance,
  type Instance,
  indexRelatedRecords,
  isInstanceInTransition,
  presentWithoutRelated,
  type VolumeImage,
} from './instances.ts';
import { addNames } from './names.ts';
import { addWorkspaces } from './workspaces.ts';

const UNAUTHORIZED = 401;

/** Makes two upstream calls, and two more if images and flavors are not cached. */
export const instanceList = new CachedList<Instance[]>({
  name: 'instances',
  varyBy: 'roles',
  dependsOn: ['instance', 'image', 'flavor', 'user', 'project'],
  lifetime: 'instancesSeconds',
  isInTransition: (instances) => instances.some(isInstanceInTransition),
  async load(sources) {
    const { openstack } = sources;
    const [servers, volumes, flavors, images] = await Promise.all([
      openstack.compute.servers.listAs((server) => presentWithoutRelated(server, sources)),
      emptyIfUnavailable(sources, openstack.blockStorage.volumes.listAs(presentVolumeImage)),
      flavorList.read(sources),
      emptyIfUnavailable(sources, imageList.read(sources)),
    ]);
    const related = indexRelatedRecords({ flavors, images, volumes });
    const instances = await mapInSlices(servers, (server) => completeInstance(server, related));
    await addWorkspaces(instances, sources);
    return addNames(sources, instances, { user_id: visibleUserNames });
  },
});

/** The fields of a volume that an instance needs. */
function presentVolumeImage({ id, name, volume_image_metadata: metadata }: VolumeRecord): VolumeImage {
  if (metadata?.image_id === undefined) return { id, name: name ?? '' };
  const { image_id, image_name } = metadata;
  return {
    id,
    name: name ?? '',
    volume_image_metadata: { image_id, ...(image_name !== undefined && { image_name }) },
  };
}

/**
 * Volumes and images only provide the image of an instance, which is null if their services are
 * unavailable or reject the read.
 */
async function emptyIfUnavailable<T>({ onIncomplete }: LoadSources, read: Promise<T[]>): Promise<T[]> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status === UNAUTHORIZED) throw error;
    onIncomplete();
    return [];
  }
}
