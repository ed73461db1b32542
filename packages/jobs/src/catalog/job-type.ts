import type { ResourceName } from '@gateway/core';
import type { QueueName } from '@gateway/platform';
import type { ProgressMessage } from './progress-message.ts';

export interface JobTraits {
  queue: QueueName;
  /**
   * The resource that the job creates or changes; null if there is none, or if the request names it.
   */
  resourceType: ResourceName | null;
  /** Shown in the users' list of jobs; false for the gateway's own jobs. */
  isListed: boolean;
  /** Administrators can list the jobs of this type in all projects (`readJobsOfType`). */
  isListedByType?: boolean;
  /** Can be cancelled after it has begun; otherwise only before. */
  isCancellableWhileRunning: boolean;
  /** Can never be cancelled: the request takes effect when the job is queued. */
  refusesCancellation?: boolean;
  /** Refused when the project has too many waiting jobs. Jobs that free resources are never refused. */
  isLimited: boolean;
}

/** What users wait for. */
export const PROVISIONING = {
  queue: 'provisioning',
  isListed: true,
  isCancellableWhileRunning: true,
  isLimited: true,
} as const;

/** What frees resources, and what administrators change. */
export const CLEANUP = {
  queue: 'cleanup',
  isListed: true,
  isCancellableWhileRunning: false,
  isLimited: false,
} as const;

/** The gateway's own jobs. */
export const MAINTENANCE = {
  queue: 'maintenance',
  isListed: false,
  isCancellableWhileRunning: true,
  isLimited: false,
} as const;

/** The traits of a type of job. Only the compiler knows the types of its payload and its messages. */
interface DeclaredJob<Payload, Message> extends JobTraits {
  /** Never set. */
  types?: { payload: Payload; message: Message };
}

/** Declares a type of job. A payload contains no secret that is not sealed. */
export function jobType<Payload, Message extends ProgressMessage>(
  traits: JobTraits,
): DeclaredJob<Payload, Message> {
  return traits;
}
