import type { ImageRecord } from './images.ts';
import { volumeSnapshotGb } from './volume-snapshot.ts';

const GIB = 2 ** 30;

/** The size of the smallest volume, in GB, that the block storage service makes from an image. */
export function smallestVolumeGb(image: ImageRecord): number {
  const { min_disk, size, virtual_size } = image;
  const dataGb = Math.ceil((virtual_size ?? size ?? 0) / GIB);
  return Math.max(min_disk, volumeSnapshotGb(image) ?? dataGb, 1);
}
