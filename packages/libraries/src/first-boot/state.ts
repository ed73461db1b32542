/** What an instance reports at each of its boots. */
export interface FirstBootReport {
  /** Identifies a boot of the machine. */
  boot: string;
  /** Increases within a boot. */
  sequence: number;
  stage: string;
  /** A report that is not `running` is the final one of its boot. */
  result: 'running' | 'ready' | 'failed';
}

/**
 * The instance of a first boot, by the job that created it. An instance names its job in metadata, which
 * users can write; with the project they reach only instances of their own.
 */
export interface FirstBootOwner {
  projectId: string;
  jobId: string;
}

/** The latest state of an instance's first boot, as stored. */
export interface FirstBootState {
  stage: string;
  result: FirstBootReport['result'];
  source: 'callback' | 'console';
  /** When it was reported, or last read from the console log, in milliseconds since the epoch. */
  at: number;
}
