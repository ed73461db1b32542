import { jobType, MAINTENANCE } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** The snapshots of one hour, for the time series of administrators. */
export interface SnapshotTaking {
  /** The beginning of the hour, in milliseconds since the epoch. */
  hour: number;
}

export const snapshotProgress = { SNAPSHOT_TAKING: 10, COMPLETED: 100, FAILED: -1 } as const;

/** One event of a snapshot. */
export interface SnapshotMessage extends ProgressMessage {
  step: keyof typeof snapshotProgress;
  error: string | null;
}

export const snapshotJobs = {
  'timeseries.snapshot': jobType<SnapshotTaking, SnapshotMessage>({ ...MAINTENANCE, resourceType: null }),
};
