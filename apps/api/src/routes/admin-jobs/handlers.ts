import { conflict, isId, notFound, toTimestamp } from '@gateway/core';
import {
  holdJob as hold,
  type JobRecord,
  type JobState,
  type JobStatus,
  type JobType,
  listAnyJobs,
  type ProgressMessage,
  readEvents,
  readJob,
  releaseJob as release,
  resumeJob,
  stepTimes,
} from '@gateway/jobs';
import type { Redis } from '@gateway/store';
import { requestJobCancel } from '../../flows/request-job-cancel.ts';
import { type PageQuery, presentPage } from '../../http/schemas/page.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { jobActions } from '../../resources/job-actions.ts';
import { requireAction } from '../../resources/require-action.ts';
import { unknownMarker } from '../jobs/handlers.ts';
import { presentAdminJobs } from './present.ts';
import type { AdminJob, JobSteps } from './shapes.ts';

type JobRequest = RequestContext<{ job_id: string }>;

/** A job writes fewer. */
const MAX_STEPS = 1000;

export interface AdminJobQuery extends PageQuery {
  type?: JobType;
  status?: JobStatus;
  state?: JobState;
  project_id?: string;
  resource_id?: string;
  user_id?: string;
  min_age_seconds?: number;
  max_age_seconds?: number;
  has_ended?: boolean;
}

export async function getAdminJobs(request: RequestContext<unknown, AdminJobQuery>) {
  const { clock, redis } = request.app;
  const { project_id, resource_id, user_id, min_age_seconds, max_age_seconds, has_ended, ...filter } =
    request.query;
  const before = (seconds: number | undefined) =>
    seconds === undefined ? undefined : clock.now() - seconds * 1000;
  const page = await listAnyJobs(redis.store, {
    ...filter,
    projectId: project_id,
    resourceId: resource_id,
    userId: user_id,
    hasEnded: has_ended,
    createdBy: before(min_age_seconds),
    createdSince: before(max_age_seconds),
  });
  if (page === null) throw unknownMarker();
  return presentPage(await presentAdminJobs(request, page.jobs), page.hasMore);
}

export async function getAdminJob(request: JobRequest): Promise<AdminJob> {
  return presentOne(request, await findJob(request));
}

/** A rollback has no progress. The last event of a job is as old as its end. */
export async function getJobSteps(request: JobRequest): Promise<JobSteps> {
  const job = await findJob(request);
  const { id } = job;
  const times = stepTimes(job.bar);
  const events = await readEvents(request.app.redis.store, id, 0, MAX_STEPS);
  const items = events.map(({ data, last, seq }) => {
    const { message, progress, step } = JSON.parse(data) as ProgressMessage;
    const at = last ? job.updatedAt : (times.get(step) ?? null);
    return { seq, step, progress: progress < 0 ? null : progress, message, began_at: toTimestamp(at) };
  });
  return { items };
}

export async function holdJob(request: JobRequest): Promise<AdminJob> {
  return change(request, 'hold', hold);
}

export async function releaseJob(request: JobRequest): Promise<AdminJob> {
  return change(request, 'release', release);
}

export async function cancelAnyJob(request: JobRequest): Promise<AdminJob> {
  return change(request, 'cancel', (_redis, job) => requestJobCancel(request, job));
}

/** @param apply returns false if the state of the job has changed since it was read */
async function change(
  request: JobRequest,
  action: keyof typeof jobActions,
  apply: (redis: Redis, job: JobRecord) => Promise<boolean>,
): Promise<AdminJob> {
  const { app, logger } = request;
  const job = await findJob(request);
  requireAction(request, jobActions[action], job);
  if (!(await apply(app.redis.store, job)))
    throw conflict('changed_meanwhile', `${jobActions[action].refusal}: its state has changed.`);
  // A worker then learns of the change at once, else when it receives the job the next time.
  await resumeJob(app.redis.store, app.queues, job).catch((error: unknown) => {
    logger.debug('Failed to resume a job after a change', { job_id: job.id, error });
  });
  return presentOne(request, await findJob(request));
}

async function presentOne(request: JobRequest, job: JobRecord): Promise<AdminJob> {
  const [presented] = await presentAdminJobs(request, [job]);
  return presented as AdminJob;
}

async function findJob({ app, params }: JobRequest): Promise<JobRecord> {
  // Other names may be keys of other records, such as `feed`.
  const record = isId(params.job_id) ? await readJob(app.redis.store, params.job_id) : null;
  if (record === null) throw notFound('There is no such job.');
  return record;
}
