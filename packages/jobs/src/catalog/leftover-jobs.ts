import { CLEANUP, jobType } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

/** The removal of a leftover, requested by an administrator. */
export interface LeftoverRemoval {
  /** As in the leftovers of jobs. */
  resourceType: string;
  resourceId: string;
  /** The project of the resource. */
  resourceProjectId: string;
  /** Also removes a resource that may still be in use. */
  force: boolean;
}

export const leftoverProgress = { LEFTOVER_REMOVING: 10, COMPLETED: 100, FAILED: -1 } as const;

/** One event of the removal of a leftover. */
export interface LeftoverMessage extends ProgressMessage {
  step: keyof typeof leftoverProgress;
  resource_type: string;
  resource_id: string;
  error: string | null;
}

export const leftoverJobs = {
  'leftover.remove': jobType<LeftoverRemoval, LeftoverMessage>({ ...CLEANUP, resourceType: null }),
};
