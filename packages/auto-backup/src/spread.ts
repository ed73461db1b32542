import { fractionOf } from '@gateway/core';
import type { AutoBackup } from './auto-backup.ts';
import { latestDue, nextDue } from './schedule.ts';

type Scheduled = Pick<AutoBackup, 'schedule' | 'volumeId'>;

/** The part of the time until the next due time by which a run is late at most. */
const MAX_PART = 0.1;

/**
 * When the run of a due time begins, in milliseconds since the epoch. Many volumes are due at the same
 * second, as by `0 2 * * *`; each has its own place in the window after it.
 */
export function beginOf({ schedule, volumeId }: Scheduled, due: number, spreadSeconds: number): number {
  const windowMs = Math.min(spreadSeconds * 1000, MAX_PART * (nextDue(schedule, due) - due));
  return due + Math.floor((fractionOf(volumeId) * windowMs) / 1000) * 1000;
}

/** The last due time whose run begins up to and including this time. */
export function latestBegun(scheduled: Scheduled, until: number, spreadSeconds: number): number {
  const due = latestDue(scheduled.schedule, until);
  // The run of the due time before began long before this one.
  return beginOf(scheduled, due, spreadSeconds) <= until ? due : latestDue(scheduled.schedule, due - 1);
}

/** The alert `GatewayAutoBackupsWait` grants a run that waits for its place as much. */
const OVERDUE_MS = 3_600_000;

/** Whether a run has not begun an hour after it should have. */
export function isOverdue(
  { enabled, handledUntil, ...scheduled }: Scheduled & Pick<AutoBackup, 'enabled' | 'handledUntil'>,
  now: number,
  spreadSeconds: number,
): boolean {
  return enabled && latestBegun(scheduled, now - OVERDUE_MS, spreadSeconds) > handledUntil;
}

/** When the next run begins after this time. */
export function nextBegin(
  { handledUntil, ...scheduled }: Scheduled & Pick<AutoBackup, 'handledUntil'>,
  after: number,
  spreadSeconds: number,
): number {
  const settled = Math.max(handledUntil, latestBegun(scheduled, after, spreadSeconds));
  return beginOf(scheduled, nextDue(scheduled.schedule, settled), spreadSeconds);
}
