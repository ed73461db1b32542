import { requireState } from '../../../saga/index.ts';
import { attachmentStep } from '../../resources/attachment-step.ts';
import {
  announce,
  type CreateInstanceContext,
  type CreateInstanceState,
  type CreateStepContext,
  type VolumeDeviceKey,
} from '../saga.ts';

/**
 * Attaches one of the volumes that the request names or creates. The volume is kept when the server is
 * deleted.
 *
 * @param index the volume's index, from 0: first the additional volumes, then the new ones
 */
export function attachVolume(index: number) {
  const key: VolumeDeviceKey = `volumeDevice${index}`;
  return attachmentStep<CreateInstanceContext, CreateInstanceState>({
    name: `attach-volume-${index + 1}`,
    beginUpdate: ({ input: { additionalVolumeIds, newVolumes } }) =>
      announce(
        'ATTACHING_VOLUME',
        `Volume ${index + 1} of ${additionalVolumeIds.length + newVolumes.length} is being attached.`,
      ),
    key,
    title: 'The attachment of the volume',
    serverId: (context) => requireState(context, 'serverId'),
    volumeId: (context) => volumeIdOf(context, index),
    deleteOnTermination: false,
  });
}

function volumeIdOf(context: CreateStepContext, index: number): string {
  const { additionalVolumeIds } = context.input;
  return (
    additionalVolumeIds[index] ?? requireState(context, `newVolumeId${index - additionalVolumeIds.length}`)
  );
}
