/** The path for reports of builders, below the public URL of the api. */
export const BUILDER_CALLBACK_PATH = '/api/file-storage/builds/callback';

/** A report of a builder, with the field names of the callback. */
export interface BuilderReport {
  stage: string;
  /** Absent in interim reports. */
  success?: boolean;
  error?: string | null;
  log_tail?: string;
  manifest?: BuilderManifest;
}

/** The contents of the share. */
export interface BuilderManifest {
  library: string;
  version: string;
  built_at: string;
  files: number;
  /** SHA-256, in hexadecimal, of the file that lists the checksums of all files. */
  checksum: string;
  /** Such as `numpy==2.2.1`. */
  packages?: string[];
}
