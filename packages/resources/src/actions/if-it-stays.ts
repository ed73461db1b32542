import { isBlockStorageInTransition } from '../transitions/states-in-transition.ts';

/**
 * What helps if the state that forbids an action usually ends by itself and does not end, as a sentence after
 * the refusal. Empty for other states.
 */
export function ifItStays(isInTransition: boolean): string {
  return isInTransition ? ' If this state does not end, an administrator can reset it.' : '';
}

/** The same for a volume, a snapshot or a backup. */
export function ifBlockStorageStays(record: { status: string }): string {
  return ifItStays(isBlockStorageInTransition(record));
}
