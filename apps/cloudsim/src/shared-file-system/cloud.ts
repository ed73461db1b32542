import type { TimeSource } from '../common/clock.ts';
import type { Schedule } from '../common/schedule.ts';
import type { Call } from '../http/operation.ts';
import type { SharedFileSystemState } from './state.ts';

export interface SharedFileSystemSettings {
  /** The export location of every new share, by protocol; other protocols get one location per share. */
  exportPaths: Record<string, string>;
}

/** The part of the cloud that the shared file system service uses. */
export interface SharedFileSystemCloud {
  readonly clock: TimeSource;
  readonly schedule: Schedule<SharedFileSystemCloud>;
  readonly settings: SharedFileSystemSettings;
  readonly sharedFileSystem: SharedFileSystemState;
}

export type SharedFileSystemCall = Call<SharedFileSystemCloud>;
