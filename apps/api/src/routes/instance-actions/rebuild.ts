import { invalidInput } from '@gateway/core';
import {
  type BoundClient,
  bootVolumeId,
  type ImageRecord,
  nullIfNotFound,
  readRequested,
  smallestVolumeGb,
  volumeSnapshotGb,
} from '@gateway/openstack';
import { instanceActions } from '@gateway/resources';
import { act, type InstanceAction, type InstanceRequest } from './act.ts';
import type { RebuildBody, RescueBody } from './change-schemas.ts';

/**
 * Fills the boot volume from an image. The first-boot data stays and is applied again, so an instance whose
 * first-boot data can be applied only once is refused.
 *
 * @throws 400 for an image that is unknown, not active, without data or too large; 409 in states that forbid
 * it
 */
export async function rebuildInstance(request: InstanceRequest<RebuildBody>): Promise<void> {
  const { body, openstack } = request;
  await act(request, {
    ...instanceActions.rebuild,
    async send(_request, server) {
      const image = await readImageData(openstack, body.image_id);
      if (server.image === null) await requireRoom(openstack, server.id, image);
      await openstack.compute.servers.rebuild(server.id, image.id);
    },
  });
}

/**
 * Boots an instance from an image, with its volumes attached, so that its system can be repaired.
 *
 * @throws 400 for an image that is unknown, not active, or not for rescues, 409 in states that forbid it
 */
export async function rescueInstance(request: InstanceRequest<RescueBody>): Promise<void> {
  const { body, openstack } = request;
  await act(request, {
    ...instanceActions.rescue,
    // The service answers 400 if the host or the image cannot be used to rescue the instance.
    refusalStatuses: [400, 409],
    async send(_request, server) {
      const image = await readImageData(openstack, body.image_id);
      if (server.image === null) requireRescueImage(image);
      await openstack.compute.servers.rescue(server.id, image.id, body.admin_pass);
    },
  });
}

export const unrescue: InstanceAction = {
  ...instanceActions.unrescue,
  send: ({ openstack }, { id }) => openstack.compute.servers.unrescue(id),
};

/**
 * An image whose data can be written to a volume or a disk. The service accepts a snapshot of a volume, too,
 * and then leaves the boot volume in the status `error`.
 */
async function readImageData({ image }: BoundClient, imageId: string): Promise<ImageRecord> {
  const record = await readRequested(image.images.get(imageId), 'image_id', `Image ${imageId}`);
  if (volumeSnapshotGb(record) !== null) {
    throw invalidInput('The image is a snapshot of a volume: it serves new instances and volumes only.', {
      errors: [{ field: 'body.image_id', message: 'must be an image with data of its own' }],
    });
  }
  if (record.status === 'active') return record;
  throw invalidInput(`The image is not ready to be booted from: its status is ${record.status}.`, {
    errors: [{ field: 'body.image_id', message: 'must be an active image' }],
  });
}

/**
 * The compute service finds out only when the instance has lost its boot volume, which is then `downloading`
 * for good.
 */
async function requireRoom(
  { blockStorage, compute }: BoundClient,
  instanceId: string,
  image: ImageRecord,
): Promise<void> {
  const volume = await nullIfNotFound(blockStorage.volumes.get(await bootVolumeId(compute, instanceId)));
  const smallest = smallestVolumeGb(image);
  // A size of 0 is not known.
  if (volume === null || volume.size === 0 || volume.size >= smallest) return;
  throw invalidInput(
    `The image needs a boot volume of at least ${smallest} GB, and that of the instance has ${volume.size} GB.`,
    { errors: [{ field: 'body.image_id', message: `must fit into ${volume.size} GB` }] },
  );
}

/**
 * The compute service attaches the image as a further disk to an instance that boots from a volume, and gives
 * another reason if the image does not say how.
 */
function requireRescueImage(image: ImageRecord): void {
  if (image.hw_rescue_bus !== null && image.hw_rescue_device !== null) return;
  throw invalidInput(
    'The image cannot rescue an instance that boots from a volume: its properties hw_rescue_bus and hw_rescue_device are missing.',
    {
      errors: [
        { field: 'body.image_id', message: 'must be an image with hw_rescue_bus and hw_rescue_device' },
      ],
    },
  );
}
