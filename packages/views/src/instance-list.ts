import { GatewayError } from '@gateway/core';
import { CachedList } from './cached-list.ts';
import { flavorList } from './flavors.ts';
import { imageList } from './images.ts';
import { type Instance, indexRelatedRecords, isInstanceInTransition, presentInstance } from './instances.ts';

/** Makes two upstream calls, and two more if images and flavors are not cached. */
export const instanceList = new CachedList<Instance[]>({
  name: 'instances',
  varyBy: 'roles',
  dependsOn: ['instance', 'image', 'flavor'],
  lifetime: 'instancesSeconds',
  isInTransition: (instances) => instances.some(isInstanceInTransition),
  async load(sources) {
    const { openstack } = sources;
    const [servers, volumes, flavors, images] = await Promise.all([
      openstack.compute.servers.list(),
      emptyIfUnavailable(openstack.blockStorage.volumes.list()),
      flavorList.read(sources),
      emptyIfUnavailable(imageList.read(sources)),
    ]);
    const related = indexRelatedRecords({ flavors, images, volumes });
    return servers.map((server) => presentInstance(server, related));
  },
});

/** Volumes and images only provide the image of an instance, which is null while their services are unavailable. */
async function emptyIfUnavailable<T>(read: Promise<T[]>): Promise<T[]> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof GatewayError && error.status >= 500) return [];
    throw error;
  }
}
