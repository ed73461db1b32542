import { toMilliseconds } from '@gateway/core';
import { isStale, nullIfNotFound, type ProjectClient, type WaitOptions } from '@gateway/openstack';

/**
 * Removals can be repeated: a resource that is gone, or is being deleted, counts as removed. So does a
 * resource that belongs to another project by now, because the client of the job's project cannot find it.
 */

export interface RemovalOptions extends Omit<WaitOptions, 'describe'> {
  /** A resource that has been in creation for longer than this is stuck. */
  stuckAfterMs: number;
}

/** The rights that a removal may use. */
export interface RemovalRights {
  /** The job's owner, or an identity acting as the owner. */
  remover(): ProjectClient;
  /** The client that may force a deletion; null when there is none. */
  forcer(): Promise<ProjectClient | null>;
}

/**
 * Whether the resource is in a state that does not change by itself and in which the service refuses an
 * ordinary delete: a failed deletion, or a creation that takes longer than it should.
 */
export function isStuck(
  { status, created_at }: { status: string; created_at: string },
  { stuckAfterMs }: RemovalOptions,
): boolean {
  if (status === 'error_deleting') return true;
  return status === 'creating' && Date.now() - (toMilliseconds(created_at) ?? Date.now()) > stuckAfterMs;
}

/** True when the service answers 404. */
export async function isGone(removal: Promise<void>): Promise<boolean> {
  return (await nullIfNotFound(removal.then(() => 'taken' as const))) === null;
}

/** How often a resource is read again because it has changed between the read and the removal. */
const MAX_LOOKS = 5;

/** Repeats a read with a removal of what was read, while the resource changes in between. */
export async function againIfStale(lookAndRemove: () => Promise<void>): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      return await lookAndRemove();
    } catch (error) {
      if (!isStale(error) || look === MAX_LOOKS) throw error;
    }
  }
}
