/** The path for reports of verifiers, below the public URL of the api. */
export const VERIFIER_CALLBACK_PATH = '/api/file-storage/verifications/callback';

/** A report of a verifier, with the field names of the callback. */
export interface VerifierReport {
  stage: string;
  /** Absent in interim reports. False if the packages could not be imported at all. */
  success?: boolean;
  error?: string | null;
  log_tail?: string;
  packages?: PackageImport[];
}

/** The attempt to import one package. */
export interface PackageImport {
  name: string;
  /** Null for a package that is not there. */
  version: string | null;
  /** False also for a package without modules, which then has no error. */
  imported: boolean;
  error: string | null;
}
