import { conflict, jobDescription } from '@gateway/core';
import { findImages, removeImage } from '@gateway/inventory';
import {
  type BoundClient,
  FailedStateError,
  type ImageRecord,
  isNotFound,
  nullIfNotFound,
  waitFor,
} from '@gateway/openstack';
import { type ProgressUpdate, requireState } from '../../saga/index.ts';
import { parkingLater, waitOptions } from '../resources/wait-options.ts';
import type { ImageStep } from './image-saga.ts';
import { creation } from './saga.ts';

/**
 * Uploads the copy of the boot volume, or lets the compute service upload the disk, and waits until the image
 * is active, which may be hours later. The image is named after the job until it is published: services copy
 * the properties of an image to what is made of it, so that a property is no mark. The rollback deletes it;
 * the upload then ends, and the copy can be deleted.
 */
export function imageStep(beginUpdate: ProgressUpdate): ImageStep {
  return {
    ...creation,
    beginUpdate,
    async run(context) {
      const { blockStorage, compute } = await context.resourceOwner.client();
      const { input, jobId, state } = context;
      const name = jobDescription(jobId);
      const resourceId =
        state.copyId === undefined
          ? await compute.servers.createImage(input.instanceId, name)
          : await blockStorage.volumes.upload(state.copyId, {
              image_name: name,
              disk_format: 'raw',
              container_format: 'bare',
              visibility: 'private',
            });
      return { resourceId };
    },
    async find(context) {
      const rights = await context.resourceOwner.removal();
      const images = await findImages(rights.remover(), await context.resourceOwner.mark());
      return images.map(({ id }) => ({ resourceId: id }));
    },
    async settle(context, { resourceId = '' }) {
      const client = await context.resourceOwner.client();
      await waitFor(() => isComplete(client, resourceId, context.state.copyId), {
        ...waitOptions(parkingLater(context), 'image', {
          describe: 'The image',
          seconds: context.config.timeLimits.volumeCopySeconds,
        }),
      });
      return undefined;
    },
    async undo(context, { resourceId = '' }) {
      const rights = await context.resourceOwner.removal();
      await removeImage(rights.remover(), resourceId);
    },
    leftover: ({ resourceId = '' }) => ({ type: 'image', id: resourceId }),
  };
}

/**
 * Gives the image its name, by which users find it. It is no longer rolled back. A tag keeps the mark of the
 * job: services copy tags to nothing that is made of an image.
 */
export const publishStep: ImageStep = {
  name: 'publish',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const { image } = await context.resourceOwner.client();
    const { copy, ...fields } = requireState(context, 'request');
    const id = requireState(context, 'resourceId');
    const record = await image.images.get(id);
    // What the block storage service notes of a volume when it verifies its image. It copies the note to the
    // image as a property, and then fails to note it of a volume that is made of that image.
    const removed = record.signature_verified === null ? [] : ['signature_verified'];
    const tags = [...new Set([...record.tags, jobDescription(context.jobId)])];
    await image.images.update(id, { ...fields, tags }, removed);
    return {};
  },
  async find(context) {
    const { image } = await context.resourceOwner.client();
    const { jobId, projectId } = await context.resourceOwner.mark();
    const published = await image.images.list({ tag: jobDescription(jobId) });
    return published.some(({ owner }) => owner === projectId) ? [{}] : [];
  },
};

/**
 * True when the image is active and its volume can be deleted. After a failed upload the block storage
 * service usually deletes the image, and always ends the state `uploading` of the volume.
 */
async function isComplete(
  { blockStorage, image }: BoundClient,
  imageId: string,
  copyId: string | undefined,
): Promise<true | undefined> {
  // Read before the image, which is active before the volume leaves the state.
  const copy = copyId === undefined ? null : await nullIfNotFound(blockStorage.volumes.get(copyId));
  const isUploading = copy?.status === 'uploading';
  const { status } = await readImage(image.images.get(imageId));
  if (status === 'active') return isUploading ? undefined : true;
  const mayBecomeActive = UNFINISHED.includes(status) && (isUploading || copyId === undefined);
  if (mayBecomeActive) return undefined;
  throw new FailedStateError(`The image could not be uploaded: its status is ${status}.`, status);
}

const UNFINISHED = ['queued', 'saving', 'uploading', 'importing'];

async function readImage(read: Promise<ImageRecord>): Promise<ImageRecord> {
  try {
    return await read;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw conflict(
      'changed_meanwhile',
      'The image was deleted before it was complete, by somebody or after a failed upload.',
      {
        cause: error,
      },
    );
  }
}
