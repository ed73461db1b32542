import type { ImageRecord } from './images.ts';

const GIB = 2 ** 30;

/** The size of the smallest volume, in GB, that the block storage service makes from an image. */
export function smallestVolumeGb({ min_disk, size, virtual_size }: ImageRecord): number {
  return Math.max(min_disk, Math.ceil((virtual_size ?? size ?? 0) / GIB), 1);
}
