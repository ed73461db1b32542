import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';

/**
 * What helps if the state that forbids an action usually ends by itself and does not end, or if a deletion
 * has failed, as sentences after the refusal. Empty for other states.
 */
export function ifItStays(isInTransition: boolean, status?: unknown): string {
  if (status === 'error_deleting') return ' An administrator can reset this state.';
  if (!isInTransition) return '';
  if (status === 'reserved') return RESERVED;
  return ' If this state does not end, an administrator can reset it.';
}

/** After a reset, such a volume seems unused, and could be deleted, while the instance still needs it. */
const RESERVED =
  ' Volumes of a shelved instance are reserved until it is unshelved. If no instance has the volume, an administrator can reset its state.';

/** The same for a volume, a snapshot or a backup. */
export function ifBlockStorageStays(record: { status: string }): string {
  return ifItStays(isBlockStorageInTransition(record), record.status);
}
