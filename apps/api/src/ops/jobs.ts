import { toTimestamp } from '@gateway/core';
import { type JobRecord, queueNames, readFailedJobs, readJob, readOpenJobs } from '@gateway/jobs';
import type { AppContext } from '../context.ts';

/** More would not help a reader. */
const MAX_JOBS = 200;
const DAY_MS = 86_400_000;

/** The jobs of all projects that have not ended, the newest first. */
export async function listOpenJobs({ redis }: AppContext) {
  const ids = (await readOpenJobs(redis.store, Number.MAX_SAFE_INTEGER)).reverse();
  const records = await Promise.all(ids.slice(0, MAX_JOBS).map((id) => readJob(redis.store, id)));
  return { items: records.filter((record) => record !== null).map(presentOpenJob), total: ids.length };
}

/** The jobs of all projects that have failed within a day, the latest first. */
export async function listFailures({ clock, redis }: AppContext) {
  const since = clock.now() - DAY_MS;
  const found = await Promise.all(
    queueNames.map((queue) => readFailedJobs(redis.store, queue, 0, MAX_JOBS - 1)),
  );
  const failures = found
    .flat()
    .filter(({ updatedAt }) => updatedAt > since)
    .sort((a, b) => b.updatedAt - a.updatedAt);
  return { items: failures.slice(0, MAX_JOBS).map(presentFailure), total: failures.length };
}

/** With the message that the users of the job got. The message may contain names that they have chosen. */
function presentFailure({ failure, id, projectId, requestId, step, type, updatedAt }: JobRecord) {
  return {
    id,
    type,
    step,
    project_id: projectId,
    reason: failure?.detail ?? 'The job has failed.',
    code: failure?.code ?? null,
    status: failure?.status ?? null,
    service: failure?.upstream?.service ?? null,
    request_id: requestId,
    failed_at: toTimestamp(updatedAt),
  };
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
