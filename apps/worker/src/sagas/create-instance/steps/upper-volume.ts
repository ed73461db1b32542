import { instanceProgress } from '@gateway/jobs';
import { awaitVolume } from '../../resources/await-ready.ts';
import { findVolumes } from '../../resources/find-made.ts';
import { removeVolume } from '../../resources/removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { defineCreateStep, isLayered, nameFor } from '../saga.ts';

export const createUpperVolume = defineCreateStep<{ upperVolumeId: string }>({
  name: 'upper-volume',
  beginUpdate: {
    step: 'UPPER_VOLUME_CREATING',
    progress: instanceProgress.UPPER_VOLUME_CREATING,
    message: 'The volume for the writable layer is being made.',
  },
  when: isLayered,
  async run(context) {
    const { availabilityZone } = context.input;
    const volume = await context.owner().blockStorage.volumes.create({
      name: nameFor(context, 'upper'),
      size: context.config.instances.upperVolumeSizeGb,
      metadata: { gateway_job_id: context.jobId },
      ...(availabilityZone !== null && { availability_zone: availabilityZone }),
    });
    return { upperVolumeId: volume.id };
  },
  async find(context) {
    const volumes = await findVolumes(context.remover(), nameFor(context, 'upper'), context);
    return volumes.map(({ id }) => ({ upperVolumeId: id }));
  },
  async settle(context, { upperVolumeId }) {
    const wait = waiting(context, 'The upper volume', context.config.timeLimits.volumeSeconds);
    await awaitVolume(context.owner(), upperVolumeId, wait);
    return undefined;
  },
  undo: (context, { upperVolumeId }) =>
    removeVolume(context, upperVolumeId, patience(context, context.config.timeLimits.volumeSeconds)),
  leftover: ({ upperVolumeId }) => ({ type: 'volume', id: upperVolumeId }),
});
