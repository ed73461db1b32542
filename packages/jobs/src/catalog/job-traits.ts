import { NewerFormError, type ResourceName } from '@gateway/core';
import type { QueueName } from '@gateway/platform';
import type { JobType } from './catalog.ts';

interface JobTraits {
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

export const jobTraits: Record<JobType, JobTraits> = {
  'backup.create': {
    queue: 'provisioning',
    resourceType: 'backup',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'backup.restore': {
    queue: 'provisioning',
    resourceType: 'volume',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'cluster.create': {
    queue: 'provisioning',
    resourceType: 'cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'host.evacuate': {
    queue: 'cleanup',
    resourceType: 'hypervisor',
    isListed: true,
    isCancellableWhileRunning: false,
    isLimited: false,
  },
  'image.create': {
    queue: 'provisioning',
    resourceType: 'image',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'instance.create': {
    queue: 'provisioning',
    resourceType: 'instance',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'instance.delete': {
    queue: 'cleanup',
    resourceType: 'instance',
    isListed: true,
    isCancellableWhileRunning: false,
    isLimited: false,
  },
  'leftover.remove': {
    queue: 'cleanup',
    resourceType: null,
    isListed: true,
    isCancellableWhileRunning: false,
    isLimited: false,
  },
  'library.build': {
    queue: 'provisioning',
    resourceType: 'file_storage',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'library.verify': {
    queue: 'provisioning',
    resourceType: 'file_storage',
    isListed: true,
    isListedByType: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.create': {
    queue: 'provisioning',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.credential': {
    queue: 'provisioning',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.delete': {
    queue: 'cleanup',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: false,
    refusesCancellation: true,
    isLimited: false,
  },
  'lite.health': {
    queue: 'maintenance',
    resourceType: 'lite_cluster',
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'lite.repair': {
    queue: 'provisioning',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.scale': {
    queue: 'provisioning',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'lite.upgrade': {
    queue: 'provisioning',
    resourceType: 'lite_cluster',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'project.purge': {
    queue: 'cleanup',
    resourceType: 'project',
    isListed: true,
    isCancellableWhileRunning: false,
    isLimited: false,
  },
  'quotas.update': {
    queue: 'cleanup',
    resourceType: 'project',
    isListed: true,
    isCancellableWhileRunning: false,
    isLimited: false,
  },
  'session.prefill': {
    queue: 'maintenance',
    resourceType: null,
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'share.create': {
    queue: 'provisioning',
    resourceType: 'file_storage',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
  'timeseries.snapshot': {
    queue: 'maintenance',
    resourceType: null,
    isListed: false,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'volume.auto-backup': {
    queue: 'maintenance',
    resourceType: 'backup',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: false,
  },
  'volume.create': {
    queue: 'provisioning',
    resourceType: 'volume',
    isListed: true,
    isCancellableWhileRunning: true,
    isLimited: true,
  },
};

/** @throws NewerFormError: only a newer gateway has the type, such as that of a stored record */
export function traitsOf(type: string): JobTraits {
  if (!isKnownJobType(type)) throw new NewerFormError(`job of type ${type}`);
  return jobTraits[type];
}

/** False for a type that only a newer gateway has. */
export function isKnownJobType(type: string): type is JobType {
  return Object.hasOwn(jobTraits, type);
}
