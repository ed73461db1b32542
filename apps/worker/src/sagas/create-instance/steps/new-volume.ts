import { KEEP_VOLUME_METADATA } from '@gateway/core';
import { volumeStep } from '../../resources/volume-step.ts';
import {
  announce,
  type CreateInstanceContext,
  type CreateInstanceState,
  type NewVolumeKey,
  volumeZoneOf,
} from '../saga.ts';

/** Distinguishes the new volumes of one job, which may have the same name. */
const NEW_VOLUME_METADATA_KEY = 'gateway_new_volume';

/**
 * Creates one of the requested volumes, with its requested name. The volume is kept when the instance is
 * deleted.
 *
 * @param index the volume's index in the request, from 0
 */
export function createNewVolume(index: number) {
  const key: NewVolumeKey = `newVolumeId${index}`;
  const place = String(index + 1);
  return volumeStep<CreateInstanceContext, CreateInstanceState>({
    name: `new-volume-${place}`,
    beginUpdate: ({ input }) =>
      announce('BOOT_VOLUME_CREATING', `New volume ${place} of ${input.newVolumes.length} is being created.`),
    key,
    title: 'The new volume',
    request: (context) => {
      const { name, sizeGb } = requestedVolume(context, index);
      const metadata = { [NEW_VOLUME_METADATA_KEY]: place, ...KEEP_VOLUME_METADATA };
      return { name, size: sizeGb, metadata, ...volumeZoneOf(context) };
    },
    matches: ({ metadata }) => metadata?.[NEW_VOLUME_METADATA_KEY] === place,
  });
}

function requestedVolume({ input }: CreateInstanceContext, index: number) {
  const volume = input.newVolumes[index];
  if (volume === undefined) throw new Error(`The request has no new volume ${index + 1}.`);
  return volume;
}
