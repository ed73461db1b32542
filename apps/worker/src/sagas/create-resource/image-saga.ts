import type { ImageCreation, Leftover } from '@gateway/jobs';
import type { VolumeCreate } from '@gateway/openstack';
import type { Step, StepContext } from '../../saga/index.ts';
import type { CreateResourceContext, CreateResourceState } from './saga.ts';

/** What a job that makes an image of an instance has planned. */
export interface ImageRequest {
  name: string;
  /** The copy of the boot volume; null for an instance that boots from an image. */
  copy: (VolumeCreate & { name: string }) | null;
  /** What a machine needs to boot from a copy: GB of disk, MB of memory. */
  min_disk?: number;
  min_ram?: number;
}

export interface ImageState extends CreateResourceState<ImageRequest> {
  /** The copy of the boot volume. */
  copyId: string;
  /** Those of the copy. */
  leftovers: Leftover[];
}

type Context = CreateResourceContext<ImageCreation>;
export type ImageStep = Step<Context, ImageState>;
export type ImageStepContext = StepContext<Context, ImageState>;
