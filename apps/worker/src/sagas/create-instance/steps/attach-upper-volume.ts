import { requireState } from '../../../saga/index.ts';
import { attachmentStep } from '../../resources/attachment-step.ts';
import { UPPER_DEVICE } from '../../resources/upper-device.ts';
import { announce, type CreateInstanceContext, type CreateInstanceState, isLayered } from '../saga.ts';

export const attachUpperVolume = attachmentStep<CreateInstanceContext, CreateInstanceState>({
  name: 'attach-upper-volume',
  beginUpdate: announce('ATTACHING_VOLUME', 'The upper volume is being attached.'),
  when: isLayered,
  key: 'upperDevice',
  title: 'The attachment of the upper volume',
  serverId: (context) => requireState(context, 'serverId'),
  volumeId: (context) => requireState(context, 'upperVolumeId'),
  deleteOnTermination: true,
  device: UPPER_DEVICE,
});
