import { NewerFormError } from '@gateway/core';
import { autoBackupJobs } from './auto-backup-jobs.ts';
import { hostJobs } from './host-jobs.ts';
import { instanceJobs } from './instance-jobs.ts';
import type { JobTraits } from './job-type.ts';
import { leftoverJobs } from './leftover-jobs.ts';
import { libraryJobs } from './library-jobs.ts';
import { liteJobs } from './lite-jobs.ts';
import { projectJobs } from './project-jobs.ts';
import { quotaJobs } from './quota-jobs.ts';
import { resourceJobs } from './resource-jobs.ts';
import { sessionJobs } from './session-jobs.ts';
import { snapshotJobs } from './snapshot-jobs.ts';

export * from './auto-backup-jobs.ts';
export * from './host-jobs.ts';
export * from './instance-jobs.ts';
export * from './leftover-jobs.ts';
export * from './library-jobs.ts';
export * from './lite-jobs.ts';
export * from './project-jobs.ts';
export * from './quota-jobs.ts';
export * from './resource-jobs.ts';
export * from './snapshot-jobs.ts';

/**
 * All types of jobs, each declared beside its payload and its messages. Producer, processors and streams take
 * their types from here, so a type of job without a processor does not compile.
 */
export const jobTypes = {
  ...resourceJobs,
  ...instanceJobs,
  ...hostJobs,
  ...leftoverJobs,
  ...libraryJobs,
  ...liteJobs,
  ...projectJobs,
  ...quotaJobs,
  ...autoBackupJobs,
  ...sessionJobs,
  ...snapshotJobs,
};

type JobTypes = typeof jobTypes;

export type JobType = keyof JobTypes;

/** The payload and the progress messages of each type of job. */
type JobCatalog = { [T in JobType]: NonNullable<JobTypes[T]['types']> };

export type JobPayload<T extends JobType> = JobCatalog[T]['payload'];
export type JobMessage<T extends JobType> = JobCatalog[T]['message'];

/** @throws NewerFormError: only a newer gateway has the type, such as that of a stored record */
export function traitsOf(type: string): JobTraits {
  if (!isKnownJobType(type)) throw new NewerFormError(`job of type ${type}`);
  return jobTypes[type];
}

/** False for a type that only a newer gateway has. */
export function isKnownJobType(type: string): type is JobType {
  return Object.hasOwn(jobTypes, type);
}
