import { instanceProgress } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { awaitVolume } from '../../resources/await-ready.ts';
import { findVolumes } from '../../resources/find-made.ts';
import { KEEP_VOLUME_METADATA } from '../../resources/names.ts';
import { removeVolume } from '../../resources/removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { defineCreateStep, nameFor } from '../saga.ts';

export const createBootVolume = defineCreateStep<{ bootVolumeId: string }>({
  name: 'boot-volume',
  beginUpdate: {
    step: 'BOOT_VOLUME_CREATING',
    progress: instanceProgress.BOOT_VOLUME_CREATING,
    message: 'The boot volume is being made from the image.',
  },
  async run(context) {
    const { availabilityZone, deleteBootVolumeOnTermination, imageId } = context.input;
    const volume = await context.owner().blockStorage.volumes.create({
      name: nameFor(context, 'boot'),
      size: need(context, 'plan').bootVolumeSizeGb,
      imageRef: imageId,
      metadata: {
        [JOB_METADATA_KEY]: context.jobId,
        ...(!deleteBootVolumeOnTermination && KEEP_VOLUME_METADATA),
      },
      ...(availabilityZone !== null && { availability_zone: availabilityZone }),
    });
    return { bootVolumeId: volume.id };
  },
  async find(context) {
    const volumes = await findVolumes(context.remover(), nameFor(context, 'boot'), context);
    return volumes.map(({ id }) => ({ bootVolumeId: id }));
  },
  async settle(context, { bootVolumeId }) {
    const wait = waiting(context, 'The boot volume', context.config.timeLimits.volumeSeconds);
    await awaitVolume(context.owner(), bootVolumeId, wait);
    return undefined;
  },
  undo: (context, { bootVolumeId }) =>
    removeVolume(context, bootVolumeId, patience(context, context.config.timeLimits.volumeSeconds)),
  leftover: ({ bootVolumeId }) => ({ type: 'volume', id: bootVolumeId }),
});
