import { toTimestamp } from '@gateway/core';
import { type BoundClient, type ImageRecord, volumeSnapshotGb } from '@gateway/openstack';
import { visibleProjectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { ListsByScope, type Scope } from '../lists/lists-by-scope.ts';
import { markTransition } from '../transitions/in-transition.ts';
import { isImageInTransition } from '../transitions/states-in-transition.ts';
import type { Image } from './image-shape.ts';

const GIB = 2 ** 30;

export function presentImage(image: ImageRecord): Image {
  const snapshotGb = volumeSnapshotGb(image);
  return {
    id: image.id,
    name: image.name,
    status: image.status,
    visibility: image.visibility,
    owner: image.owner || null,
    owner_name: null,
    size: snapshotGb === null ? (image.size ?? 0) : snapshotGb * GIB,
    min_disk: Math.max(image.min_disk, snapshotGb ?? 0),
    min_ram: image.min_ram,
    disk_format: image.disk_format,
    os_distro: image.os_distro,
    os_hidden: image.os_hidden,
    protected: image.protected,
    created_at: toTimestamp(image.created_at),
    ...markTransition(isImageInTransition(image), image.status, {
      changedAt: image.updated_at,
      createdAt: image.created_at,
    }),
  };
}

/** Adds the names of their projects to images. */
export async function nameImages(sources: ListSources, images: readonly Image[]): Promise<Image[]> {
  const owners = new Set(images.flatMap(({ owner }) => owner ?? []));
  const names = await visibleProjectNames(sources, owners);
  return images.map((image) => ({ ...image, owner_name: names.get(image.owner ?? '') ?? null }));
}

/**
 * Varies by roles because the image service also lists the private images of all projects for administrators.
 * The list of the whole cloud has hidden images, too.
 */
export const imageLists = new ListsByScope<Image>({
  name: 'images',
  varyBy: 'roles',
  dependsOn: ['image', 'project'],
  lifetime: 'imagesSeconds',
  rowsWithStates: (images) => images,
  load: async (sources, scope) =>
    nameImages(sources, (await readImages(sources.openstack, scope)).map(presentImage)),
});

async function readImages({ image: { images } }: BoundClient, scope: Scope): Promise<ImageRecord[]> {
  if (scope === 'project') return images.list();
  const [shown, hidden] = await Promise.all([images.list(), images.list({ os_hidden: true })]);
  return [...shown, ...hidden];
}
