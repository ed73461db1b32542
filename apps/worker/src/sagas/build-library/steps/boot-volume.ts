import { buildProgress } from '@gateway/jobs';
import { waitForStatus } from '@gateway/openstack';
import { need } from '../../need.ts';
import { removeVolume } from '../../removal.ts';
import { patience, waiting } from '../../waiting.ts';
import { announce, defineBuildStep, nameFor } from '../saga.ts';

export const createBootVolume = defineBuildStep<{ bootVolumeId: string }>({
  name: 'boot-volume',
  announce: announce(
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
      metadata: { gateway_job_id: context.jobId },
    });
    return { bootVolumeId: volume.id };
  },
  async find(context) {
    const service = await context.service();
    const volumes = await service.blockStorage.volumes.listByName(nameFor(context, 'boot'));
    const volume = volumes.find(({ metadata }) => metadata.gateway_job_id === context.jobId);
    return volume === undefined ? null : { bootVolumeId: volume.id };
  },
  async settle(context, { bootVolumeId }) {
    const { volumes } = (await context.service()).blockStorage;
    await waitForStatus(
      () => volumes.get(bootVolumeId),
      ({ status }) => status,
      {
        ...waiting(context, "The builder's disk", context.config.timeLimits.volumeSeconds),
        // A builder that was already made from it by an earlier run has it in use.
        target: ['available', 'in-use'],
        failure: ['error', 'error_deleting', 'error_managing'],
      },
    );
    return undefined;
  },
  async undo(context, { bootVolumeId }) {
    const service = await context.service();
    const rights = { remover: () => service, service: async () => service };
    await removeVolume(rights, bootVolumeId, patience(context, context.config.timeLimits.volumeSeconds));
  },
  leftover: ({ bootVolumeId }) => ({ type: 'volume', id: bootVolumeId }),
});
