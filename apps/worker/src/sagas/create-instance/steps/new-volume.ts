import { instanceProgress } from '@gateway/jobs';
import { JOB_METADATA_KEY } from '@gateway/views';
import { awaitVolume } from '../../resources/await-ready.ts';
import { findVolumes } from '../../resources/find-made.ts';
import { KEEP_VOLUME_METADATA } from '../../resources/names.ts';
import { removeVolume } from '../../resources/removal.ts';
import { patience, waiting } from '../../waiting.ts';
import {
  type CreateInstanceContext,
  type CreateInstanceState,
  defineCreateStep,
  type NewVolumeKey,
} from '../saga.ts';

/** Tells the new volumes of one job apart: two of them may have the same name. */
const NEW_VOLUME_METADATA_KEY = 'gateway_new_volume';

/**
 * One of the volumes that the request asks to create. It has the name that the request gives it, and stays when the
 * instance is deleted.
 *
 * @param index the volume's place among them, from 0
 */
export function createNewVolume(index: number) {
  const key: NewVolumeKey = `newVolumeId${index}`;
  const idOf = (result: Pick<CreateInstanceState, NewVolumeKey>) => result[key] ?? '';
  return defineCreateStep<Pick<CreateInstanceState, NewVolumeKey>>({
    name: `new-volume-${index + 1}`,
    beginUpdate: ({ input }) => ({
      step: 'BOOT_VOLUME_CREATING',
      progress: instanceProgress.BOOT_VOLUME_CREATING,
      message: `New volume ${index + 1} of ${input.newVolumes.length} is being created.`,
    }),
    async run(context) {
      const { availabilityZone } = context.input;
      const { name, sizeGb } = requestedVolume(context, index);
      const volume = await context.owner().blockStorage.volumes.create({
        name,
        size: sizeGb,
        metadata: {
          [JOB_METADATA_KEY]: context.jobId,
          [NEW_VOLUME_METADATA_KEY]: String(index + 1),
          ...KEEP_VOLUME_METADATA,
        },
        ...(availabilityZone !== null && { availability_zone: availabilityZone }),
      });
      return { [key]: volume.id };
    },
    async find(context) {
      const { name } = requestedVolume(context, index);
      const volumes = await findVolumes(context.remover(), name, context);
      return volumes
        .filter(({ metadata }) => metadata[NEW_VOLUME_METADATA_KEY] === String(index + 1))
        .map(({ id }) => ({ [key]: id }));
    },
    async settle(context, result) {
      const wait = waiting(context, 'The new volume', context.config.timeLimits.volumeSeconds);
      await awaitVolume(context.owner(), idOf(result), wait);
      return undefined;
    },
    undo: (context, result) =>
      removeVolume(context, idOf(result), patience(context, context.config.timeLimits.volumeSeconds)),
    leftover: (result) => ({ type: 'volume', id: idOf(result) }),
  });
}

function requestedVolume({ input }: CreateInstanceContext, index: number) {
  const volume = input.newVolumes[index];
  if (volume === undefined) throw new Error(`The request has no new volume ${index + 1}.`);
  return volume;
}
