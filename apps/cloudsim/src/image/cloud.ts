import type { TimeSource } from '../common/clock.ts';
import type { Call } from '../http/operation.ts';
import type { ImageState } from './state.ts';

/** The part of the cloud that the image service uses. */
export interface ImageCloud {
  readonly clock: TimeSource;
  readonly images: ImageState;
}

export type ImageCall = Call<ImageCloud>;
