import { buildProgress } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/views';
import { need } from '../../need.ts';
import { awaitVolume } from '../../resources/await-ready.ts';
import { findVolumes } from '../../resources/find-made.ts';
import { removeVolume } from '../../resources/removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { announce, defineBuildStep, makerOf, nameFor, removalRights } from '../saga.ts';

export const createBootVolume = defineBuildStep<{ bootVolumeId: string }>({
  name: 'boot-volume',
  beginUpdate: announce(
    'BUILDER_PREPARING',
    buildProgress.BUILDER_PREPARING,
    "The builder's disk is being made.",
  ),
  async run(context) {
    const { bootVolumeSizeGb, imageId } = need(context, 'plan');
    const service = await context.service();
    const volume = await service.blockStorage.volumes.create({
      name: nameFor(context, 'boot'),
      size: bootVolumeSizeGb,
      imageRef: imageId,
      metadata: { [JOB_METADATA_KEY]: context.jobId },
    });
    return { bootVolumeId: volume.id };
  },
  async find(context) {
    const maker = await makerOf(context);
    const volumes = await findVolumes(await context.service(), nameFor(context, 'boot'), maker);
    return volumes.map(({ id }) => ({ bootVolumeId: id }));
  },
  async settle(context, { bootVolumeId }) {
    const wait = waiting(context, "The builder's disk", context.config.timeLimits.volumeSeconds);
    await awaitVolume(await context.service(), bootVolumeId, wait);
    return undefined;
  },
  async undo(context, { bootVolumeId }) {
    const { volumeSeconds } = context.config.timeLimits;
    await removeVolume(await removalRights(context), bootVolumeId, patience(context, volumeSeconds));
  },
  leftover: ({ bootVolumeId }) => ({ type: 'volume', id: bootVolumeId }),
});
