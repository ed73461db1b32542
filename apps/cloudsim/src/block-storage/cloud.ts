import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { ImageState } from '../image/state.ts';
import type { BlockStorageState } from './state.ts';

/** The part of the cloud that the block storage service uses. */
export interface BlockStorageCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<BlockStorageCloud>;
  readonly blockStorage: BlockStorageState;
  /** Volumes are created from images. */
  readonly images: ImageState;
  /** Attachments of existing servers can only be deleted through the compute service. */
  readonly compute: { readonly servers: { has(serverId: string): boolean } };
}

export type BlockStorageCall = Call<BlockStorageCloud>;
