import { volumeStep } from '../../resources/volume-step.ts';
import { nameFor, type VerifyLibraryContext, type VerifyLibraryState } from '../saga.ts';

/** The smallest volume: nobody works on a verifier. */
export const UPPER_VOLUME_GB = 1;

export const createUpperVolume = volumeStep<VerifyLibraryContext, VerifyLibraryState>({
  name: 'upper-volume',
  key: 'upperVolumeId',
  title: "The verifier's upper volume",
  request: (context) => ({ name: nameFor(context, 'upper'), size: UPPER_VOLUME_GB }),
});
