import { KEEP_VOLUME_METADATA } from '@gateway/core';
import { requireState } from '../../../saga/index.ts';
import { volumeStep } from '../../resources/volume-step.ts';
import {
  announce,
  type CreateInstanceContext,
  type CreateInstanceState,
  nameFor,
  volumeZoneOf,
} from '../saga.ts';

export const createBootVolume = volumeStep<CreateInstanceContext, CreateInstanceState>({
  name: 'boot-volume',
  beginUpdate: announce('BOOT_VOLUME_CREATING', 'The boot volume is being created from the image.'),
  key: 'bootVolumeId',
  title: 'The boot volume',
  request: (context) => ({
    name: nameFor(context, 'boot'),
    size: requireState(context, 'plan').bootVolumeSizeGb,
    imageRef: context.input.imageId,
    metadata: context.input.deleteBootVolumeOnTermination ? {} : KEEP_VOLUME_METADATA,
    ...volumeZoneOf(context),
  }),
});
