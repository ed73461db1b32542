import { toTimestamp } from '@gateway/core';
import {
  type JobRecord,
  queueNames,
  readFailedJobs,
  readJob,
  readOpenJobs,
  shownStep,
  stateOf,
} from '@gateway/jobs';
import { workspaceMessage } from '@gateway/resources';
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

/** The jobs and first boots of all projects that have failed within a day, the latest first. */
export async function listFailures({ clock, firstBoots, redis }: AppContext) {
  const since = clock.now() - DAY_MS;
  const found = await Promise.all(
    queueNames.map((queue) => readFailedJobs(redis.store, queue, 0, MAX_JOBS - 1)),
  );
  const jobs = found
    .flat()
    .filter(({ updatedAt }) => updatedAt > since)
    .map((job) => ({ at: job.updatedAt, failure: presentFailure(job) }));
  const boots = (await firstBoots.readFailures(MAX_JOBS)).map((boot) => ({
    at: boot.state.at,
    failure: presentFailedBoot(boot),
  }));
  const failures = [...jobs, ...boots].sort((a, b) => b.at - a.at).map(({ failure }) => failure);
  return { items: failures.slice(0, MAX_JOBS), total: failures.length };
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

/** A first boot of an instance, by the id of the job that created the instance. No request has failed. */
function presentFailedBoot({
  owner,
  state,
}: Awaited<ReturnType<AppContext['firstBoots']['readFailures']>>[number]) {
  return {
    id: owner.jobId,
    type: 'instance first boot',
    step: state.stage,
    project_id: owner.projectId,
    reason: workspaceMessage({ ...state, isInTime: true }),
    code: state.stage,
    status: null,
    service: null,
    request_id: '',
    failed_at: toTimestamp(state.at),
  };
}

/**
 * Ids and states only, since messages contain names that users have chosen; of a job that is being undone
 * also the cause, as of one that has failed.
 */
function presentOpenJob(job: JobRecord) {
  return {
    id: job.id,
    type: job.type,
    status: job.cancelRequested ? 'cancelling' : stateOf(job),
    step: shownStep(job).step,
    cause: job.failure?.detail ?? null,
    progress: Math.max(0, job.progress),
    project_id: job.projectId,
    resource_id: job.resourceId,
    created_at: toTimestamp(job.createdAt),
    updated_at: toTimestamp(job.updatedAt),
  };
}
