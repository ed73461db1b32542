import type { Redis } from '@gateway/store';
import { jobKeys } from '../keys.ts';
import type { JobFailure } from '../records/job-failure.ts';
import { countFaultScript } from './scripts.ts';

/**
 * Counts a run that failed because of a fault of the gateway. From the `limit`-th fault on, the job's next
 * run rolls back and the job fails with `failure`.
 */
export async function countFault(
  redis: Redis,
  jobId: string,
  { failure, limit }: { failure: JobFailure; limit: number },
): Promise<void> {
  await countFaultScript.run(
    redis,
    { record: jobKeys.record(jobId) },
    { limit, failure: JSON.stringify(failure) },
  );
}
