import { type JobType, jobStatuses, jobTypes } from '@gateway/jobs';
import Joi from 'joi';
import { streamTicketShape } from '../../auth/stream-ticket-shape.ts';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { pageQuery, pageShape } from '../../http/schemas/page.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import {
  cancelJob,
  createTicket,
  type FollowQuery,
  followJob,
  getJob,
  getJobs,
  type JobQuery,
} from './handlers.ts';
import { jobShape, jobStates } from './shapes.ts';

const tag = { name: 'jobs', description: 'Long operations and their progress' };
const params = Joi.object<{ job_id: string }>({ job_id: idField().required() });

const types = (Object.keys(jobTypes) as JobType[]).filter((type) => jobTypes[type].isListed).toSorted();
export const jobEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/jobs',
    tag,
    summary: "The project's long operations, newest first",
    access: 'project',
    changesWith: 'job',
    query: Joi.object<JobQuery>({
      ...pageQuery,
      type: Joi.string().valid(...types),
      status: Joi.string()
        .valid(...jobStatuses)
        .meta({ name: 'JobStatus' }),
      state: Joi.string()
        .valid(...jobStates)
        .meta({ name: 'JobState' })
        .description('As `status`, where `rolling_back` and `held` are states of their own.'),
      resource_id: idField().description('Only jobs that create or change this resource.'),
      user_id: chosenIdField().description('Only jobs that this user has started.'),
    }),
    response: pageShape('JobPage', jobShape),
    handler: getJobs,
  }),
  endpoint({
    method: 'GET',
    path: '/api/jobs/:job_id',
    tag,
    summary: 'A long operation',
    access: 'project',
    params,
    response: jobShape,
    handler: getJob,
  }),
  endpoint({
    method: 'GET',
    path: '/api/jobs/:job_id/events',
    tag,
    summary: 'The progress of a job, from the start or after the event in `Last-Event-ID`, then live',
    description: [
      'A stream of events, which ends after the last one. A stream that ends without it, after a comment that the server is',
      'shutting down or because the connection broke, can be resumed with another request that sends the id of the last event.',
      "A browser's `EventSource` can set no headers: it takes a ticket in their place",
      '(`POST /api/jobs/{job_id}/ticket`), which is valid once. So when `EventSource` reconnects by itself, to the same',
      'address, it gets 401 and closes. Then ask for a new ticket, and open a new `EventSource` with `last_event_id`.',
    ].join(' '),
    access: 'project',
    acceptsTicket: true,
    params,
    query: Joi.object<FollowQuery>({
      // Only authentication reads this field.
      ticket: Joi.string().description('In place of token and project: a ticket for this job.'),
      last_event_id: Joi.number()
        .integer()
        .min(0)
        .max(999_999_999)
        .description(
          'The same as `Last-Event-ID`, for clients that cannot set headers. The header takes precedence.',
        ),
    }),
    headers: {
      'Last-Event-ID': {
        description: 'The `id` of the last event that the client received. The stream continues after it.',
        schema: { type: 'string', pattern: '^\\d{1,9}$' },
      },
    },
    exampleText: 'id: 1\ndata: {"step":"SERVER_CREATING","progress":95}\n\n',
    produces: 'text/event-stream',
    handler: followJob,
  }),
  endpoint({
    method: 'POST',
    path: '/api/jobs/:job_id/ticket',
    tag,
    summary: 'A ticket to follow a job without headers',
    description:
      "For a browser's `EventSource`: `GET /api/jobs/{job_id}/events?ticket=...`. It is valid once, for this job, and for a minute unless the gateway is configured otherwise; it is refused when the session has ended before.",
    access: 'project',
    params,
    status: 201,
    response: streamTicketShape,
    rateLimits: ['streamTicket'],
    secret: true,
    writes: 'unseen',
    handler: createTicket,
  }),
  endpoint({
    method: 'POST',
    path: '/api/jobs/:job_id/cancel',
    tag,
    summary: 'Cancel a job at its next safe point and roll it back',
    access: 'project',
    params,
    status: 202,
    response: jobShape,
    example: () => ({
      status: 'running',
      state: 'running',
      ended_at: null,
      estimated_progress: 62,
      estimated_step_progress: 91,
      estimated_step_end_at: '2026-11-22T09:30:40Z',
      estimated_end_at: '2026-11-22T09:30:55Z',
      step: 'SERVER_CREATING',
      progress: 95,
      message: 'The server is being created.',
    }),
    errors: ['conflict'],
    writes: [],
    refusesReaders: true,
    handler: cancelJob,
  }),
];
