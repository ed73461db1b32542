import { instanceProgress } from '@gateway/jobs';
import { waitForStatus } from '@gateway/openstack';
import { need } from '../../need.ts';
import { waiting } from '../../waiting.ts';
import { UPPER_DEVICE } from '../first-boot.ts';
import { defineCreateStep, isLayered } from '../saga.ts';

/** Not undone by itself: the volume is detached, and goes, when its server does. */
export const attachUpperVolume = defineCreateStep<{ upperDevice: string }>({
  name: 'attach-upper-volume',
  beginUpdate: {
    step: 'ATTACHING_VOLUME',
    progress: instanceProgress.ATTACHING_VOLUME,
    message: 'The upper volume is being attached.',
  },
  when: isLayered,
  // A volume that is attached is not attached again.
  rejectsDuplicates: true,
  async run(context) {
    const attachment = await context.owner().compute.volumeAttachments.attach(need(context, 'serverId'), {
      volumeId: need(context, 'upperVolumeId'),
      device: UPPER_DEVICE,
      delete_on_termination: true,
    });
    return { upperDevice: attachment.device ?? '' };
  },
  async find(context) {
    const attachments = await context.remover().compute.volumeAttachments.list(need(context, 'serverId'));
    return attachments
      .filter(({ volumeId }) => volumeId === context.state.upperVolumeId)
      .map(({ device }) => ({ upperDevice: device ?? '' }));
  },
  async settle(context) {
    const { volumes } = context.owner().blockStorage;
    await waitForStatus(
      () => volumes.get(need(context, 'upperVolumeId')),
      ({ status }) => status,
      {
        ...waiting(context, 'The attachment of the upper volume', context.config.timeLimits.attachSeconds),
        target: ['in-use'],
        failure: ['error', 'error_attaching', 'error_deleting'],
      },
    );
    return undefined;
  },
});
