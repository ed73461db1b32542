import { jobType, MAINTENANCE } from './job-type.ts';

/** Reads the lists of a project after a log-in, without messages. */
export const sessionJobs = {
  'session.prefill': jobType<Record<string, never>, never>({ ...MAINTENANCE, resourceType: null }),
};
