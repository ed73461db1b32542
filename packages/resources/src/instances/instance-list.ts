import { mapInSlices } from '@gateway/core';
import type { VolumeRecord } from '@gateway/openstack';
import { flavorList } from '../flavors/flavors.ts';
import { visibleUserNames } from '../identity/users.ts';
import { imageLists } from '../images/images.ts';
import { CachedList } from '../lists/cached-list.ts';
import { addNames } from '../lists/names.ts';
import { optionalRead } from '../lists/optional-read.ts';
import type { Instance } from './instance-shape.ts';
import {
  completeInstance,
  indexRelatedRecords,
  presentWithoutRelated,
  type VolumeImage,
} from './instances.ts';
import { addWorkspaces } from './workspaces.ts';

/**
 * Makes two upstream calls, and two more if images and flavors are not cached. Volumes and images only
 * provide the image of an instance.
 */
export const instanceList = new CachedList<Instance[]>({
  name: 'instances',
  varyBy: 'roles',
  dependsOn: ['instance', 'image', 'flavor', 'user', 'project'],
  lifetime: 'instancesSeconds',
  rowsWithStates: (instances) => instances,
  async load(sources) {
    const { openstack } = sources;
    const [servers, volumes, flavors, images] = await Promise.all([
      openstack.compute.servers.listAs((server) => presentWithoutRelated(server, sources)),
      optionalRead(sources, openstack.blockStorage.volumes.listAs(presentVolumeImage), []),
      flavorList.read(sources),
      optionalRead(sources, imageLists.project.read(sources), []),
    ]);
    const related = indexRelatedRecords({ flavors, images, volumes });
    const instances = await mapInSlices(servers, (server) => completeInstance(server, related));
    await addWorkspaces(instances, sources);
    return addNames(sources, instances, { user_id: visibleUserNames });
  },
});

/** The fields of a volume that an instance needs. */
function presentVolumeImage({ id, name, volume_image_metadata: metadata }: VolumeRecord): VolumeImage {
  const { image_id, image_name } = metadata;
  return {
    id,
    name,
    volume_image_metadata: {
      ...(image_id !== undefined && { image_id }),
      ...(image_name !== undefined && { image_name }),
    },
  };
}
