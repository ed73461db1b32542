import { conflict, jobDescription, notFound } from '@gateway/core';
import type { ImageCreation } from '@gateway/jobs';
import { type BoundClient, bootVolumeId, readOwnVolume, type ServerRecord } from '@gateway/openstack';
import {
  checkQuotas,
  ifBlockStorageStays,
  instanceActions,
  readStorageQuotas,
  requireAllowed,
} from '@gateway/resources';
import { requireState } from '../../saga/index.ts';
import { volumeStep } from '../resources/volume-step.ts';
import type { ImageRequest, ImageState, ImageStep } from './image-saga.ts';
import { imageStep, publishStep } from './image-step.ts';
import { removeCopyStep } from './remove-copy-step.ts';
import { announce, type CreateResourceContext, planStep } from './saga.ts';

/**
 * An image of what an instance boots from. The boot volume is in use, so a copy of it is uploaded. The
 * compute service makes the image of an instance that boots from an image itself; of another it would only
 * make an image without data, and keep snapshots of all its volumes. See decision 143.
 */
export const createImageSteps: readonly ImageStep[] = [
  planStep(async ({ input, jobId, owner, projectId }) => {
    const client = owner();
    const server = await readServer(client, projectId, input.instanceId);
    // A lock does not forbid it, so that the rights of the caller, which the api has checked, decide nothing.
    requireAllowed(instanceActions.create_image, server, { isAdministrator: false, mayChange: true });
    if (server.image !== null) return { name: input.name, copy: null };
    return planCopy(client, { projectId, jobId, ...input });
  }),
  volumeStep<CreateResourceContext<ImageCreation>, ImageState>({
    name: 'copy',
    key: 'copyId',
    beginUpdate: announce('CREATING', 'The boot volume is being copied.'),
    title: 'The copy of the boot volume',
    isCopied: true,
    when: ({ state }) => state.request?.copy !== null,
    request(context) {
      const { copy } = requireState(context, 'request');
      if (copy === null) throw new Error('The image needs no copy of a volume');
      return copy;
    },
  }),
  imageStep(announce('UPLOADING', 'The image is being uploaded.')),
  publishStep,
  removeCopyStep,
];

async function readServer({ compute }: BoundClient, projectId: string, id: string): Promise<ServerRecord> {
  const server = await compute.servers.get(id);
  if (server.tenant_id !== projectId) throw notFound('There is no such instance in this project.');
  return server;
}

async function planCopy(
  client: BoundClient,
  { instanceId, jobId, name, projectId }: ImageCreation & { jobId: string; projectId: string },
): Promise<ImageRequest> {
  const [volumeId, quotas] = await Promise.all([
    bootVolumeId(client.compute, instanceId),
    readStorageQuotas(client),
  ]);
  const { size, status, volume_image_metadata } = await readOwnVolume(
    client.blockStorage,
    projectId,
    volumeId,
  );
  if (status !== 'in-use' && status !== 'available') {
    const hint = ifBlockStorageStays({ status });
    throw conflict(
      'wrong_state',
      `The boot volume of the instance cannot be copied in its state ${status}.${hint}`,
    );
  }
  checkQuotas(quotas, { volumes: 1, gigabytes: size });
  return {
    name,
    copy: {
      name: jobDescription(jobId),
      description: `Copy of the boot volume of instance ${instanceId}; deleted when its image is complete`,
      size,
      source_volid: volumeId,
    },
    min_disk: size,
    min_ram: wholeNumber(volume_image_metadata.min_ram),
  };
}

/** Anybody who may change the metadata of a volume may write anything there. */
function wholeNumber(text: string | undefined): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
}
