import { instanceProgress } from '@gateway/jobs';
import { waitForStatus } from '@gateway/openstack';
import { need } from '../../need.ts';
import { waiting } from '../../waiting.ts';
import {
  type CreateInstanceContext,
  type CreateInstanceState,
  type CreateStepContext,
  defineCreateStep,
  type VolumeDeviceKey,
} from '../saga.ts';

/**
 * Attaches one of the volumes that the request names or asks to create; it stays when the server is deleted. Not undone by
 * itself: the server's deletion detaches the volume.
 *
 * @param index the volume's place, from 0: the additional ones come first, then the new ones
 */
export function attachVolume(index: number) {
  const key: VolumeDeviceKey = `volumeDevice${index}`;
  return defineCreateStep<Pick<CreateInstanceState, VolumeDeviceKey>>({
    name: `attach-volume-${index + 1}`,
    beginUpdate: ({ input }) => ({
      step: 'ATTACHING_VOLUME',
      progress: instanceProgress.ATTACHING_VOLUME,
      message: `Volume ${index + 1} of ${attachmentsOf(input)} is being attached.`,
    }),
    // A volume that is attached is not attached again.
    rejectsDuplicates: true,
    async run(context) {
      const attachment = await context.owner().compute.volumeAttachments.attach(need(context, 'serverId'), {
        volumeId: volumeIdOf(context, index),
        delete_on_termination: false,
      });
      return { [key]: attachment.device ?? '' };
    },
    async find(context) {
      const attachments = await context.remover().compute.volumeAttachments.list(need(context, 'serverId'));
      return attachments
        .filter(({ volumeId }) => volumeId === volumeIdOf(context, index))
        .map(({ device }) => ({ [key]: device ?? '' }));
    },
    async settle(context) {
      const { volumes } = context.owner().blockStorage;
      await waitForStatus(
        () => volumes.get(volumeIdOf(context, index)),
        ({ status }) => status,
        {
          ...waiting(context, 'The attachment of the volume', context.config.timeLimits.attachSeconds),
          target: ['in-use'],
          failure: ['error', 'error_attaching', 'error_deleting'],
        },
      );
      return undefined;
    },
  });
}

function attachmentsOf({ additionalVolumeIds, newVolumes }: CreateInstanceContext['input']): number {
  return additionalVolumeIds.length + newVolumes.length;
}

function volumeIdOf(context: CreateStepContext, index: number): string {
  const { additionalVolumeIds } = context.input;
  return additionalVolumeIds[index] ?? need(context, `newVolumeId${index - additionalVolumeIds.length}`);
}
