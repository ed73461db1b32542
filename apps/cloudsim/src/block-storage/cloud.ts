import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { ImageState } from '../image/state.ts';
import type { BlockStorageState } from './state.ts';

export interface BlockStorageSettings {
  /** Volumes that are deleted stay in the status `deleting` until this is false again. */
  keepsDeletedVolumes: boolean;
  /** Volumes cannot be uploaded to the image service: their images are deleted. */
  failsUploads: boolean;
  /**
   * The names of the availability zones, the default first. They may differ from those
   * of the compute service.
   */
  volumeZones: string[];
}

/** The part of the cloud that the block storage service uses. */
export interface BlockStorageCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<BlockStorageCloud>;
  readonly blockStorage: BlockStorageState;
  readonly settings: BlockStorageSettings;
  /** Volumes are created from images. */
  readonly images: ImageState;
  /** Attachments of existing servers can only be deleted through the compute service. */
  readonly compute: { readonly servers: { has(serverId: string): boolean } };
}

export type BlockStorageCall = Call<BlockStorageCloud>;
