import { conflict, type GatewayError, invalidInput, notFound } from '@gateway/core';
import {
  hasEnded,
  type JobRecord,
  type JobStatus,
  type JobType,
  listJobs,
  presentJob,
  readEvents,
  readJob,
} from '@gateway/jobs';
import { cancelJobSoon } from '../../flows/cancel-job.ts';
import { type PageQuery, presentPage } from '../../http/page.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { JobStream } from '../../http/sse.ts';

type JobRequest = RequestContext<{ job_id: string }>;

export interface JobQuery extends PageQuery {
  type?: JobType;
  status?: JobStatus;
}

export async function getJobs({ app, caller, query }: RequestContext<unknown, JobQuery>) {
  const page = await listJobs(app.redis.store, { ...query, projectId: caller.identity.projectId });
  if (page === null) {
    throw invalidInput('The marker is not the id of a job of this project.', {
      errors: [{ field: 'query.marker', message: 'must be the id of a job of this project' }],
    });
  }
  return presentPage(page.jobs.map(presentJob), page.hasMore);
}

export async function getJob(request: JobRequest) {
  return presentJob(await findJob(request));
}

export async function followJob(request: JobRequest): Promise<JobStream> {
  const afterSeq = lastSeen(request.header('last-event-id'));
  const { id } = await findJob(request);
  if (afterSeq === 0) return new JobStream(id);
  const [seen] = await readEvents(request.app.redis.store, id, afterSeq - 1, 1);
  if (seen === undefined) throw unknownEvent();
  return new JobStream(id, afterSeq, seen.last);
}

export async function cancelJob(request: JobRequest) {
  const isCancelled = await cancelJobSoon(request, await findJob(request));
  const record = await findJob(request);
  if (isCancelled) return presentJob(record);
  throw conflict(
    hasEnded(record) ? 'The job has already ended.' : 'What the job does can not be taken back any more.',
  );
}

/** Jobs are seen by their project only. */
async function findJob({ app, caller, params }: JobRequest): Promise<JobRecord> {
  const record = await readJob(app.redis.store, params.job_id);
  if (record === null || record.projectId !== caller.identity.projectId) {
    throw notFound('There is no such job.');
  }
  return record;
}

function lastSeen(header: string | undefined): number {
  if (header === undefined || header === '') return 0;
  if (!/^\d{1,9}$/.test(header)) throw unknownEvent();
  return Number(header);
}

function unknownEvent(): GatewayError {
  return invalidInput('The Last-Event-ID header is not the id of an event of this job.', {
    errors: [{ field: 'header.Last-Event-ID', message: 'must be the id of an event' }],
  });
}
