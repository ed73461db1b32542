import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import { forgetEndedScript } from './scripts.ts';

/**
 * Removes the ended jobs of a project that is deleted from its list, which nobody reads any more. The list
 * goes with the last of the others. The records of all of them expire by themselves.
 */
export async function forgetEndedJobs(redis: Redis, projectId: string): Promise<void> {
  const keys = { jobs: jobKeys.ofProject(projectId), recordPrefix: jobKeys.record('') };
  await forgetEndedScript.run(redis, keys);
}
