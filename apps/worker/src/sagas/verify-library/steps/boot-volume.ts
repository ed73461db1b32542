import { requireState } from '../../../saga/index.ts';
import { volumeStep } from '../../resources/volume-step.ts';
import { announce, nameFor, type VerifyLibraryContext, type VerifyLibraryState } from '../saga.ts';

export const createBootVolume = volumeStep<VerifyLibraryContext, VerifyLibraryState>({
  name: 'boot-volume',
  beginUpdate: announce('VERIFIER_PREPARING', "The verifier's disks are being created."),
  key: 'bootVolumeId',
  title: "The verifier's disk",
  request: (context) => {
    const { bootVolumeSizeGb, imageId } = requireState(context, 'plan');
    return { name: nameFor(context, 'boot'), size: bootVolumeSizeGb, imageRef: imageId };
  },
});
