import { volumeStep } from '../../resources/volume-step.ts';
import {
  announce,
  type CreateInstanceContext,
  type CreateInstanceState,
  isLayered,
  nameFor,
  volumeZoneOf,
} from '../saga.ts';

export const createUpperVolume = volumeStep<CreateInstanceContext, CreateInstanceState>({
  name: 'upper-volume',
  beginUpdate: announce('UPPER_VOLUME_CREATING', 'The volume for the writable layer is being created.'),
  when: isLayered,
  key: 'upperVolumeId',
  title: 'The upper volume',
  request: (context) => ({
    name: nameFor(context, 'upper'),
    size: context.config.instances.upperVolumeSizeGb,
    ...volumeZoneOf(context),
  }),
});
