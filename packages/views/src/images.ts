import { toTimestamp } from '@gateway/core';
import type { ImageRecord } from '@gateway/openstack';

export interface Image {
  id: string;
  name: string;
  status: string;
  /** Bytes. */
  size: number;
  /** GB. */
  min_disk: number;
  /** MB. */
  min_ram: number;
  disk_format: string;
  os_distro: string;
  created_at: string | null;
}

export function presentImage(image: ImageRecord): Image {
  return {
    id: image.id,
    name: image.name ?? '',
    status: image.status,
    size: image.size ?? 0,
    min_disk: image.min_disk,
    min_ram: image.min_ram,
    disk_format: image.disk_format ?? '',
    os_distro: image.os_distro ?? '',
    created_at: toTimestamp(image.created_at),
  };
}
