import type { QueueName } from '@gateway/config';
import type { JobType } from './catalog.ts';

interface JobTraits {
  queue: QueueName;
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

export const jobTraits: Record<JobType, JobTraits> = {
  'instance.create': {
    queue: 'provisioning',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'instance.delete': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'leftover.remove': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'library.build': {
    queue: 'provisioning',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'library.verify': {
    queue: 'provisioning',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.create': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'lite.credential': {
    queue: 'provisioning',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.delete': {
    queue: 'cleanup',
    isListed: true,
    isCancellableWhileRunning: false,
    refusesCancellation: true,
    isLimited: false,
  },
  'lite.health': { queue: 'maintenance', isListed: false, isCancellableWhileRunning: true, isLimited: false },
  'lite.repair': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'lite.scale': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'lite.upgrade': { queue: 'provisioning', isListed: true, isCancellableWhileRunning: true, isLimited: true },
  'quotas.update': { queue: 'cleanup', isListed: true, isCancellableWhileRunning: false, isLimited: false },
  'session.prefill': {
    queue: 'maintenance',
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'timeseries.snapshot': {
    queue: 'maintenance',
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'volume.auto-backup': {
    queue: 'maintenance',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
};

/** False for a type that only a newer gateway has. */
export function isKnownJobType(type: string): type is JobType {
  return Object.hasOwn(jobTraits, type);
}
