import { conflict, type GatewayError, invalidInput, isId, notFound } from '@gateway/core';
import {
  hasEnded,
  type JobRecord,
  type JobState,
  type JobStatus,
  type JobType,
  listJobs,
  readEvents,
  readJob,
} from '@gateway/jobs';
import type { StreamTicket } from '../../auth/stream-ticket-shape.ts';
import { issueStreamTicket } from '../../auth/stream-tickets.ts';
import { requestJobCancel } from '../../flows/request-job-cancel.ts';
import { presentJobs, presentOneJob } from '../../http/response/present-jobs.ts';
import { type PageQuery, presentPage } from '../../http/schemas/page.ts';
import { JobStream } from '../../http/streams/event-streams.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';

type JobRequest = RequestContext<{ job_id: string }>;
type FollowRequest = RequestContext<{ job_id: string }, FollowQuery>;

export interface FollowQuery {
  ticket?: string;
  last_event_id?: number;
}

export interface JobQuery extends PageQuery {
  type?: JobType;
  status?: JobStatus;
  state?: JobState;
  resource_id?: string;
  user_id?: string;
}

export async function getJobs({ app, caller, query }: RequestContext<unknown, JobQuery>) {
  const { resource_id: resourceId, user_id: userId, ...rest } = query;
  const { projectId } = caller.identity;
  const page = await listJobs(app.redis.store, { ...rest, projectId, resourceId, userId });
  if (page === null) throw unknownMarker();
  return presentPage(await presentJobs(app, page.jobs), page.hasMore);
}

export function unknownMarker(): GatewayError {
  return invalidInput('The marker is not the id of a job of this list.', {
    errors: [{ field: 'query.marker', message: 'must be the id of a job of this list' }],
  });
}

export async function getJob(request: JobRequest) {
  return presentOneJob(request.app, await findJob(request));
}

export async function followJob(request: FollowRequest): Promise<JobStream> {
  const { seq, field } = lastSeenEvent(request);
  const { id, resourceId } = await findJob(request);
  if (seq === 0) return new JobStream(id, { resourceId });
  const [event] = await readEvents(request.app.redis.store, id, seq - 1, 1);
  if (event === undefined) throw unknownEvent(field);
  return new JobStream(id, { afterSeq: seq, isComplete: event.last, resourceId });
}

export async function createTicket(request: JobRequest): Promise<StreamTicket> {
  const { app, caller, callerToken: token } = request;
  const { id } = await findJob(request);
  return issueStreamTicket(app, id, { token, projectId: caller.identity.projectId });
}

export async function cancelJob(request: JobRequest) {
  const isCancelled = await requestJobCancel(request, await findJob(request));
  const record = await findJob(request);
  if (isCancelled) return presentOneJob(request.app, record);
  throw conflict(
    'wrong_state',
    hasEnded(record) ? 'The job has already ended.' : 'The job can no longer be cancelled.',
  );
}

/** @throws 404 for a job of another project */
async function findJob({
  app,
  caller,
  params,
}: Pick<JobRequest, 'app' | 'caller' | 'params'>): Promise<JobRecord> {
  // Other names may be keys of other records, such as `feed`.
  const record = isId(params.job_id) ? await readJob(app.redis.store, params.job_id) : null;
  if (record === null || record.projectId !== caller.identity.projectId) {
    throw notFound('There is no such job.');
  }
  return record;
}

/** The header takes precedence: a client that reconnects sets it, while its URL stays the same. */
function lastSeenEvent(request: FollowRequest): { seq: number; field: string } {
  const text = request.header('last-event-id') ?? '';
  if (text === '') return { seq: request.query.last_event_id ?? 0, field: 'query.last_event_id' };
  const field = 'header.Last-Event-ID';
  if (!/^\d{1,9}$/.test(text)) throw unknownEvent(field);
  return { seq: Number(text), field };
}

function unknownEvent(field: string): GatewayError {
  return invalidInput('The last event id is not the id of an event of this job.', {
    errors: [{ field, message: 'must be the id of an event' }],
  });
}
