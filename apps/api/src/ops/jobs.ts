import { toTimestamp } from '@gateway/core';
import { type JobRecord, readJob, readOpenJobs } from '@gateway/jobs';
import type { AppContext } from '../context.ts';

/** More would not help a reader. */
const MAX_JOBS = 200;

/** The jobs of all projects that have not ended, the newest first. */
export async function listOpenJobs({ redis }: AppContext) {
  const ids = (await readOpenJobs(redis.store, Number.MAX_SAFE_INTEGER)).reverse();
  const records = await Promise.all(ids.slice(0, MAX_JOBS).map((id) => readJob(redis.store, id)));
  return { items: records.filter((record) => record !== null).map(presentOpenJob), total: ids.length };
}

/** Ids and states only: messages contain names that users have chosen. */
function presentOpenJob(job: JobRecord) {
  return {
    id: job.id,
    type: job.type,
    status: job.cancelRequested ? 'cancelling' : job.status,
    step: job.step,
    progress: Math.max(0, job.progress),
    project_id: job.projectId,
    resource_id: job.resourceId,
    created_at: toTimestamp(job.createdAt),
    updated_at: toTimestamp(job.updatedAt),
  };
}
