import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import type { Caller } from '../http/operation.ts';
import { beginUpload, createImage, finishUpload, isUnfinished } from '../image/images.ts';
import type { Image } from '../image/state.ts';
import type { BlockStorageCloud } from './cloud.ts';
import { missingProperty } from './refusals.ts';
import type { Volume } from './state.ts';
import { setStatus } from './volumes.ts';

const UPLOAD_MS = 900;
const GIB = 2 ** 30;
/** The properties of an image that belong to its data, and not to what is made of it. */
const CORE_PROPERTIES = new Set([
  'checksum',
  'container_format',
  'disk_format',
  'image_name',
  'image_id',
  'min_disk',
  'min_ram',
  'name',
  'size',
]);
const RESERVED = /^(os_glance|img_signature)/;

/** Copies a volume into a new image. `force` has no effect, as by default in the real service. */
export function uploadVolume(
  cloud: BlockStorageCloud,
  caller: Caller,
  volume: Volume,
  input: JsonObject,
): object {
  const name = stringAt(input, 'image_name');
  if (name === undefined) throw missingProperty('os-volume_upload_image', 'image_name');
  if (volume.status !== 'available')
    throw badRequest(`Invalid volume: Volume ${volume.id} status must be available`);
  const inherited = Object.entries(volume.imageMetadata ?? {}).filter(
    ([key]) => !CORE_PROPERTIES.has(key) && !RESERVED.test(key),
  );
  const image = createImage(cloud, caller, {
    ...Object.fromEntries(inherited),
    name,
    disk_format: stringAt(input, 'disk_format') ?? 'raw',
    container_format: stringAt(input, 'container_format') ?? 'bare',
    visibility: stringAt(input, 'visibility') ?? 'private',
  });
  setStatus(cloud, volume, 'uploading');
  cloud.schedule.after(UPLOAD_MS / 3, startVolumeUpload, volume, image);
  return {
    id: volume.id,
    status: volume.status,
    size: volume.sizeGb,
    volume_type: volume.type,
    image_id: image.id,
    image_name: name,
    container_format: image.containerFormat,
    disk_format: image.diskFormat,
    visibility: image.visibility,
    protected: false,
  };
}

export function startVolumeUpload(cloud: BlockStorageCloud, volume: Volume, image: Image): void {
  beginUpload(image);
  cloud.schedule.after((UPLOAD_MS * 2) / 3, finishVolumeUpload, volume, image);
}

/** An image that was deleted meanwhile stays deleted; the service notices it only now. */
export function finishVolumeUpload(cloud: BlockStorageCloud, volume: Volume, image: Image): void {
  const isLost = cloud.settings.failsUploads || !cloud.blockStorage.volumes.has(volume.id);
  if (isUnfinished(image) && isLost) cloud.images.images.delete(image.id);
  else finishUpload(image, volume.sizeGb * GIB);
  if (volume.status !== 'uploading') return;
  setStatus(cloud, volume, volume.attachments.length > 0 ? 'in-use' : 'available');
}
