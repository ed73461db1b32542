import type { ImageRecord } from './images.ts';

interface Device {
  boot_index?: unknown;
  source_type?: unknown;
  volume_size?: unknown;
}

/**
 * The size, in GB, of the boot volume whose snapshot the image stands for; null for an image with data of its
 * own. The compute service makes such an image of a server that boots from a volume: without data, and with
 * the snapshot in a property, from which block storage makes a volume in place of the image.
 */
export function volumeSnapshotGb({ block_device_mapping }: ImageRecord): number | null {
  const boot = devicesIn(block_device_mapping).find(
    ({ boot_index, source_type }) => source_type === 'snapshot' && boot_index === 0,
  );
  if (boot === undefined) return null;
  const size = Number(boot.volume_size);
  return Number.isInteger(size) ? Math.max(size, 1) : 1;
}

/** The property is JSON in a text, which users can change. */
function devicesIn(property: unknown): Device[] {
  try {
    const devices: unknown = JSON.parse(String(property));
    return Array.isArray(devices) ? devices.filter((each) => typeof each === 'object' && each !== null) : [];
  } catch {
    return [];
  }
}
