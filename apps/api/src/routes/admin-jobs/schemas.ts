import { id, integer, listOf, nonEmptyText, part, shapeLike, text, timestamp } from '@gateway/core/shapes';
import { jobTypes } from '@gateway/jobs';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { pageQuery } from '../../http/schemas/page.ts';
import { jobStates, jobStatuses } from '../jobs/shapes.ts';
import type { Failure } from './failures.ts';
import type { AdminJobQuery, JobStep } from './handlers.ts';

const seconds = () =>
  Joi.number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER / 1000);

export const adminJobQuery = Joi.object<AdminJobQuery>({
  ...pageQuery,
  type: Joi.string().valid(...Object.keys(jobTypes).toSorted()),
  status: Joi.string().valid(...jobStatuses),
  state: Joi.string()
    .valid(...jobStates)
    .description('As `status`, where `rolling_back` and `held` are states of their own.'),
  project_id: idField(),
  resource_id: idField().description('Only jobs that create or change this resource.'),
  user_id: chosenIdField().description('Only jobs that this user has started.'),
  has_ended: Joi.boolean().description('Only jobs that have ended, or only those that have not.'),
  min_age_seconds: seconds().description('Only jobs that were created at least so long ago.'),
  max_age_seconds: seconds().description('Only jobs that were created at most so long ago.'),
});

export const jobStepsShape = shapeLike<{ items: JobStep[] }>('JobSteps', {
  items: listOf(
    part({
      seq: integer().min(1).describe('The id of the event in a stream of the job.'),
      step: nonEmptyText('SERVER_CREATING'),
      progress: integer(95).nullable().describe('Null for a failure, and while the job is undone.'),
      message: text('The server is being created.'),
    }),
  ),
});

export const failuresShape = shapeLike<{ items: Failure[]; total: number }>('Failures', {
  items: listOf(
    part({
      id: id('job').describe('The job; of a first boot the one that has created the instance.'),
      type: nonEmptyText('instance.create').describe('The type of the job, or `instance first boot`.'),
      step: nonEmptyText('SERVER_CREATING')
        .nullable()
        .describe('The last step, or the stage of the first boot.'),
      project_id: id('project'),
      project_name: text('demo').nullable(),
      reason: text('The quota of the project does not allow it.').describe(
        'The sentence that its users have read.',
      ),
      code: text('quota_exceeded')
        .nullable()
        .describe('The code of the error, or the stage of the first boot.'),
      status: integer(409).nullable().describe('The status of the error.'),
      service: text('compute').nullable().describe('The service of the cloud that has refused or failed.'),
      request_id: text('req-6f1c0c1e-5a2b-4c39-9a38-0f8d0f3f2a51')
        .nullable()
        .describe('The request that has started the job.'),
      failed_at: timestamp(),
    }),
  ).describe('The latest first; at most 200.'),
  total: integer(),
});
