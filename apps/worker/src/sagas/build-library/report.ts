/** What a builder reports, in the field names of its callback. */
export interface BuilderReport {
  stage: string;
  /** Absent until the build has ended. */
  success?: boolean;
  error?: string | null;
  log_tail?: string;
  manifest?: BuilderManifest;
}

/** The contents of the share, as the builder reports them. */
export interface BuilderManifest {
  library: string;
  version: string;
  files: number;
  /** Of the file with the checksums of all files, SHA-256 in hexadecimal. */
  checksum: string;
}

const stages: Record<string, { progress: number; message: string }> = {
  start: { progress: 32, message: 'The builder has started.' },
  tools: { progress: 35, message: 'The builder installs the programs it needs.' },
  share: { progress: 38, message: 'The builder mounts the share.' },
  commands: { progress: 42, message: 'The builder runs the commands of the catalogue.' },
  packages: { progress: 50, message: 'The builder installs the packages.' },
  manifest: { progress: 80, message: 'The builder writes down what is on the share.' },
  done: { progress: 85, message: 'The library is installed.' },
};

/** The progress of a build at the stage that the builder reports. An unknown stage counts as before the end. */
export function stageOf({ stage }: Pick<BuilderReport, 'stage'>): { progress: number; message: string } {
  return stages[stage] ?? { progress: 32, message: `The builder is at work (${stage}).` };
}
