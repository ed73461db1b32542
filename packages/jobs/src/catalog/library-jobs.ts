import type { ProgressMessage } from './progress-message.ts';

export interface LibraryBuilding {
  libraryId: string;
  /** The version in the catalogue at the time of the request. */
  version: string;
}

/**
 * Steps of a build. `LIBRARY_INSTALLING` is repeated for each report of the builder, with progress up to 85.
 */
export const buildProgress = {
  SHARE_CREATING: 5,
  BUILDER_PREPARING: 10,
  BUILDER_CREATING: 20,
  LIBRARY_INSTALLING: 30,
  ACCESS_WITHDRAWING: 90,
  SHARE_PUBLISHING: 95,
  BUILDER_DELETING: 97,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** One event of a build. `code` is set when the build failed. */
export interface BuildMessage extends ProgressMessage {
  step: keyof typeof buildProgress;
  library_id: string;
  version: string;
  /** The share of the build; null before its creation and after a failure. */
  file_storage_id: string | null;
  /** The builder's server, while it exists. */
  server_id: string | null;
  /** The end of the builder's log in its last report. */
  log_tail: string | null;
  error: string | null;
  code?: string;
}
