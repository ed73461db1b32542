import { requireState } from '../../../saga/index.ts';
import { volumeStep } from '../../resources/volume-step.ts';
import { announce, type BuildLibraryContext, type BuildLibraryState, nameFor } from '../saga.ts';

export const createBootVolume = volumeStep<BuildLibraryContext, BuildLibraryState>({
  name: 'boot-volume',
  beginUpdate: announce('BUILDER_PREPARING', "The builder's disk is being created."),
  key: 'bootVolumeId',
  title: "The builder's disk",
  request: (context) => {
    const { bootVolumeSizeGb, imageId } = requireState(context, 'plan');
    return { name: nameFor(context, 'boot'), size: bootVolumeSizeGb, imageRef: imageId };
  },
});
