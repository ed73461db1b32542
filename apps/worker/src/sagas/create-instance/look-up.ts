import { invalidInput } from '@gateway/core';
import { osVersionOf } from '@gateway/libraries';
import {
  type BlockStorageLimits,
  type ComputeLimits,
  type FlavorRecord,
  type ImageRecord,
  isNotFound,
  UpstreamError,
} from '@gateway/openstack';
import { type CreateStepContext, missing } from './saga.ts';

/** What the services say of the things a request names, and of the project's quotas. */
export interface Found {
  flavor: FlavorRecord;
  computeLimits: ComputeLimits;
  storageLimits: BlockStorageLimits;
  bootVolumeSizeGb: number;
  /** Of the image, as `ubuntu-22.04`; undefined when it does not tell. */
  osVersion: string | undefined;
}

export async function lookUp(context: CreateStepContext): Promise<Found> {
  const { compute, image, blockStorage } = context.owner();
  const { flavorId, imageId, keyName } = context.input;
  const [foundImage, flavor, , computeLimits, storageLimits] = await Promise.all([
    named(image.images.get(imageId), 'image_id', `Image ${imageId}`),
    named(compute.flavors.get(flavorId), 'flavor_id', `Flavor ${flavorId}`),
    keyName === null ? null : named(compute.keypairs.get(keyName), 'key_name', `Key pair "${keyName}"`),
    compute.limits.get(),
    blockStorage.limits.get(),
  ]);
  return {
    flavor,
    computeLimits,
    storageLimits,
    bootVolumeSizeGb: bootVolumeSize(context, foundImage),
    osVersion: osVersionOf(foundImage),
  };
}

/** Whatever the service says of an id that is none: to the caller it is one that is not there. */
export async function named<T>(read: Promise<T>, field: string, what: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isNoSuchThing = isNotFound(error) || (error instanceof UpstreamError && error.status === 400);
    throw isNoSuchThing ? missing(field, what) : error;
  }
}

function bootVolumeSize({ config, input }: CreateStepContext, image: ImageRecord): number {
  if (image.status !== 'active') {
    throw invalidInput(`The image is not ready to be booted from: its status is ${image.status}.`, {
      errors: [{ field: 'body.image_id', message: 'must be an active image' }],
    });
  }
  const asked = input.bootVolumeSizeGb;
  if (asked !== null && asked < image.min_disk) {
    throw invalidInput(`The image needs a boot volume of at least ${image.min_disk} GB.`, {
      errors: [{ field: 'body.boot_volume_size_gb', message: `must be at least ${image.min_disk}` }],
    });
  }
  return asked ?? Math.max(config.instances.bootVolumeSizeGb, image.min_disk);
}
