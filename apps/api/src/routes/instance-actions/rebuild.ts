import { conflict, invalidInput } from '@gateway/core';
import { parseOverlayMetadata } from '@gateway/libraries';
import { CLUSTER_METADATA_KEY } from '@gateway/marks';
import { type BoundClient, type ImageRecord, readRequested, type ServerRecord } from '@gateway/openstack';
import { act, type InstanceAction, type InstanceRequest } from './act.ts';
import type { RebuildBody, RescueBody } from './change-schemas.ts';

/**
 * Fills the boot volume from an image. The first-boot data stays and is applied again, so an instance whose
 * first-boot data can be applied only once is refused.
 *
 * @throws 400 for an image that is unknown or not active, 409 in states that forbid it
 */
export async function rebuildInstance(request: InstanceRequest<RebuildBody>): Promise<void> {
  const { body, openstack } = request;
  const refusal = 'The instance cannot be rebuilt';
  await act(request, {
    refusal,
    vmStates: ['active', 'stopped', 'error'],
    async send(_request, server) {
      requireRepeatableFirstBoot(server, refusal);
      const image = await readActiveImage(openstack, body.image_id);
      await openstack.compute.servers.rebuild(server.id, image.id);
    },
  });
}

/**
 * Boots an instance from an image, with its volumes attached, so that its system can be repaired.
 *
 * @throws 400 for an image that is unknown or not active, 409 in states that forbid it
 */
export async function rescueInstance(request: InstanceRequest<RescueBody>): Promise<void> {
  const { body, openstack } = request;
  await act(request, {
    refusal: 'The instance cannot be rescued',
    vmStates: ['active', 'stopped', 'error'],
    // The service answers 400 if the host or the image cannot be used to rescue the instance.
    refusalStatuses: [400, 409],
    async send(_request, server) {
      const image = await readActiveImage(openstack, body.image_id);
      await openstack.compute.servers.rescue(server.id, image.id, body.admin_pass);
    },
  });
}

export const unrescue: InstanceAction = {
  refusal: 'The rescue of the instance cannot be ended',
  vmStates: ['rescued'],
  send: ({ openstack }, { id }) => openstack.compute.servers.unrescue(id),
};

function requireRepeatableFirstBoot(server: ServerRecord, refusal: string): void {
  if (parseOverlayMetadata(server.metadata).libraries.length > 0) {
    throw conflict(`${refusal}: its libraries are set up at its first boot only. Create another instance.`);
  }
  if (server.metadata[CLUSTER_METADATA_KEY] !== undefined) {
    throw conflict(`${refusal}: it is a node of a lite cluster, which joins at its first boot only.`);
  }
}

async function readActiveImage({ image }: BoundClient, imageId: string): Promise<ImageRecord> {
  const record = await readRequested(image.images.get(imageId), 'image_id', `Image ${imageId}`);
  if (record.status === 'active') return record;
  throw invalidInput(`The image is not ready to be booted from: its status is ${record.status}.`, {
    errors: [{ field: 'body.image_id', message: 'must be an active image' }],
  });
}
