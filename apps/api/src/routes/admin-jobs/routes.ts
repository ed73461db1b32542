import { pathIds } from '../../http/schemas/fields.ts';
import { pageShape } from '../../http/schemas/page.ts';
import { endpoint } from '../../pipeline/endpoint.ts';
import { adminTags } from '../admin-tags.ts';
import { getFailures } from './failures.ts';
import { cancelAnyJob, getAdminJob, getAdminJobs, getJobSteps, holdJob, releaseJob } from './handlers.ts';
import { adminJobQuery } from './schemas.ts';
import { adminJobShape, failuresShape, jobStepsShape } from './shapes.ts';

const params = pathIds('job_id');
const released = {
  state: 'running',
  message: 'The server is being created.',
  hold_reason: null,
  held_at: null,
};

export const adminJobEndpoints = [
  endpoint({
    method: 'GET',
    path: '/api/admin/jobs',
    tag: adminTags.jobs,
    summary: 'The long operations of all projects, newest first',
    description:
      'Also those that the gateway has started itself. Failed ones have the sentence of their failure in `error`.',
    access: 'admin',
    query: adminJobQuery,
    response: pageShape('AdminJobPage', adminJobShape),
    handler: getAdminJobs,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/jobs/:job_id',
    tag: adminTags.jobs,
    summary: 'A long operation of any project',
    access: 'admin',
    params,
    response: adminJobShape,
    handler: getAdminJob,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/jobs/:job_id/steps',
    tag: adminTags.jobs,
    summary: 'The events of a job of any project until now, oldest first',
    description: 'The first 1,000.',
    access: 'admin',
    params,
    response: jobStepsShape,
    handler: getJobSteps,
  }),
  endpoint({
    method: 'GET',
    path: '/api/admin/failures',
    tag: adminTags.jobs,
    summary: 'What has failed in all projects within a day, the latest first',
    description: 'Jobs, and first boots of instances.',
    access: 'admin',
    response: failuresShape,
    handler: getFailures,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/jobs/:job_id/hold',
    tag: adminTags.jobs,
    summary: 'Hold a job of any project',
    description:
      'No worker runs it until it is released. A run in progress stops at its next safe point. The job keeps what it has made.',
    access: 'admin',
    params,
    response: adminJobShape,
    example: () => ({
      hold_reason: 'administrator',
      lost_runs: 0,
      message:
        'An administrator holds the job. It keeps what it has made, and continues when it is released.',
    }),
    errors: ['conflict'],
    writes: [],
    worksWhileReadOnly: true,
    handler: holdJob,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/jobs/:job_id/release',
    tag: adminTags.jobs,
    summary: 'Let a job that is held continue',
    description: 'It continues where it stopped, and its lost runs are counted anew.',
    access: 'admin',
    params,
    response: adminJobShape,
    example: () => ({ ...released, lost_runs: 0, allowed_actions: ['hold', 'cancel'] }),
    errors: ['conflict'],
    writes: [],
    worksWhileReadOnly: true,
    handler: releaseJob,
  }),
  endpoint({
    method: 'POST',
    path: '/api/admin/jobs/:job_id/cancel',
    tag: adminTags.jobs,
    summary: 'Cancel a job of any project at its next safe point and roll it back',
    description: 'A job that is held is released for its rollback.',
    access: 'admin',
    params,
    status: 202,
    response: adminJobShape,
    example: () => ({ ...released, cancel_requested: true, allowed_actions: ['hold', 'cancel'] }),
    errors: ['conflict'],
    writes: [],
    worksWhileReadOnly: true,
    handler: cancelAnyJob,
  }),
];
