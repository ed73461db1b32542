import { invalidInput } from '@gateway/core';
import type { FoundForInstance, InstanceCreation } from '@gateway/jobs';
import { osVersionOf } from '@gateway/libraries';
import { type FlavorRecord, type ImageRecord, readRequested, smallestVolumeGb } from '@gateway/openstack';
import type { CreationContext } from './creation-context.ts';

type LookUpContext = CreationContext<
  Pick<InstanceCreation, 'bootVolumeSizeGb' | 'flavorId' | 'imageId' | 'keyName'>
>;

/** @throws 400 for what is not there, and for a flavor or a boot volume that is too small for the image */
export async function findForInstance(
  context: LookUpContext,
): Promise<Pick<FoundForInstance, 'flavor' | 'bootVolumeSizeGb' | 'osVersion'>> {
  const { compute, image } = context.owner();
  const { flavorId, imageId, keyName } = context.input;
  const [foundImage, flavor] = await Promise.all([
    readRequested(image.images.get(imageId), 'image_id', `Image ${imageId}`),
    readRequested(compute.flavors.get(flavorId), 'flavor_id', `Flavor ${flavorId}`),
    keyName === null
      ? null
      : readRequested(compute.keypairs.get(keyName), 'key_name', `Key pair "${keyName}"`),
  ]);
  checkMemory(foundImage, flavor);
  const { name, vcpus, ram, extra_specs } = flavor;
  return {
    flavor: { name, vcpus, ram, extra_specs },
    bootVolumeSizeGb: bootVolumeSize(context, foundImage),
    osVersion: osVersionOf(foundImage) ?? null,
  };
}

function bootVolumeSize({ config, input }: LookUpContext, image: ImageRecord): number {
  if (image.status !== 'active') {
    throw invalidInput(`The image is not ready to be booted from: its status is ${image.status}.`, {
      errors: [{ field: 'body.image_id', message: 'must be an active image' }],
    });
  }
  const asked = input.bootVolumeSizeGb;
  const smallest = smallestVolumeGb(image);
  if (asked !== null && asked < smallest) {
    throw invalidInput(`The image needs a boot volume of at least ${smallest} GB.`, {
      errors: [{ field: 'body.boot_volume_size_gb', message: `must be at least ${smallest}` }],
    });
  }
  return asked ?? Math.max(config.instances.bootVolumeSizeGb, smallest);
}

function checkMemory(image: ImageRecord, flavor: FlavorRecord): void {
  if (flavor.ram >= image.min_ram) return;
  throw invalidInput(
    `The image needs ${image.min_ram} MB of RAM, and the flavor ${flavor.name} has ${flavor.ram} MB.`,
    { errors: [{ field: 'body.flavor_id', message: `must have at least ${image.min_ram} MB of RAM` }] },
  );
}
