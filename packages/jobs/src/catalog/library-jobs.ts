import { jobType, PROVISIONING } from './job-type.ts';
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

/** The trial of a prebuilt share, requested by an administrator. */
export interface LibraryVerifying extends LibraryBuilding {
  /** The share. */
  fileStorageId: string;
}

/**
 * Steps of a verification. `PACKAGES_IMPORTING` is repeated for each report of the verifier, with progress up
 * to 85.
 */
export const verificationProgress = {
  VERIFIER_PREPARING: 5,
  VERIFIER_CREATING: 20,
  PACKAGES_IMPORTING: 30,
  VERIFIER_DELETING: 90,
  COMPLETED: 100,
  FAILED: -1,
} as const;

/** Whether a library works in a machine that uses its share as instances do. */
export interface LibraryVerdict {
  status: 'passed' | 'failed';
  /** A sentence. */
  message: string;
  /** The packages of the library's definition. Empty if the machine did not get as far. */
  packages: VerifiedPackage[];
}

export interface VerifiedPackage {
  name: string;
  /** Null for a package that is not there. */
  version: string | null;
  /** False also for a package without modules, which then has no error. */
  imported: boolean;
  error: string | null;
}

/** One event of a verification. */
export interface VerificationMessage extends ProgressMessage {
  step: keyof typeof verificationProgress;
  library_id: string;
  version: string;
  file_storage_id: string;
  /** The verifier's server, while it exists. */
  server_id: string | null;
  /** The end of the verifier's log in its last report. */
  log_tail: string | null;
  /** Null until the job has completed. */
  verdict: LibraryVerdict | null;
  error: string | null;
}

/** One event of a build. */
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
}

export const libraryJobs = {
  'library.build': jobType<LibraryBuilding, BuildMessage>({
    ...PROVISIONING,
    resourceType: 'file_storage',
    isListedByType: true,
  }),
  'library.verify': jobType<LibraryVerifying, VerificationMessage>({
    ...PROVISIONING,
    resourceType: 'file_storage',
    isListedByType: true,
  }),
};
