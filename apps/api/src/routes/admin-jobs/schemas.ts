import { jobTraits } from '@gateway/jobs';
import Joi from 'joi';
import { allowedActionsField } from '../../http/schemas/actions.ts';
import {
  chosenIdField,
  idField,
  listOf,
  nullableText,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';
import { pageQuery } from '../../http/schemas/page.ts';
import { jobActions } from '../../resources/job-actions.ts';
import { jobFields, jobStates, jobStatuses } from '../jobs/schemas.ts';
import type { Failure } from './failures.ts';
import type { AdminJobQuery, JobStep } from './handlers.ts';
import type { AdminJob } from './present.ts';

const seconds = () =>
  Joi.number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER / 1000);
const count = () => Joi.number().integer();

export const adminJobQuery = Joi.object<AdminJobQuery>({
  ...pageQuery,
  type: Joi.string().valid(...Object.keys(jobTraits)),
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

export const adminJobShape = shape<AdminJob>(
  'AdminJob',
  {
    ...jobFields,
    project_id: Joi.string(),
    project_name: nullableText(),
    request_id: Joi.string().description('The request that has started the job.'),
    code: Joi.string().allow(null).description('The code of `error`.'),
    runs: count().description('How often a worker has begun or continued it.'),
    lost_runs: count().description(
      'Runs in a row that have ended with their workers, without a result and without progress.',
    ),
    faults: count().description('Runs that a fault of the gateway has broken off.'),
    cancel_requested: Joi.boolean(),
    hold_reason: Joi.string()
      .valid('lost_runs', 'administrator')
      .allow(null)
      .description('`lost_runs`: the gateway holds it, because its runs have ended with their workers.'),
    held_at: timestamp().allow(null),
    allowed_actions: allowedActionsField(jobActions),
  },
  () => ({
    type: 'instance.create',
    status: 'running',
    state: 'held',
    step: 'SERVER_CREATING',
    progress: 95,
    message:
      'The job is held, because its runs have ended several times without a result. It keeps what it has made until an administrator releases or cancels it.',
    error: null,
    code: null,
    leftovers: [],
    ended_at: null,
    resource_type: 'instance',
    resource_name: 'web-1',
    runs: 6,
    lost_runs: 5,
    faults: 0,
    cancel_requested: false,
    hold_reason: 'lost_runs',
    estimated_progress: null,
    estimated_step_progress: null,
    estimated_step_end_at: null,
    estimated_end_at: null,
    allowed_actions: ['release', 'cancel'],
  }),
);

export const jobStepsShape = shape<{ items: JobStep[] }>(
  'JobSteps',
  {
    items: listOf(
      part<JobStep>({
        seq: count().min(1).description('The id of the event in a stream of the job.'),
        step: Joi.string(),
        progress: count().allow(null).description('Null for a failure, and while the job is undone.'),
        message: text(),
      }),
    ),
  },
  () => ({ items: [{ step: 'SERVER_CREATING', progress: 95, message: 'The server is being created.' }] }),
);

export const failuresShape = shape<{ items: Failure[]; total: number }>(
  'Failures',
  {
    items: listOf(
      part<Failure>({
        id: Joi.string().description('The job; of a first boot the one that has created the instance.'),
        type: Joi.string().description('The type of the job, or `instance first boot`.'),
        step: Joi.string().allow(null).description('The last step, or the stage of the first boot.'),
        project_id: Joi.string(),
        project_name: nullableText(),
        reason: text().description('The sentence that its users have read.'),
        code: nullableText().description('The code of the error, or the stage of the first boot.'),
        status: count().allow(null).description('The status of the error.'),
        service: nullableText().description('The service of the cloud that has refused or failed.'),
        request_id: nullableText().description('The request that has started the job.'),
        failed_at: timestamp(),
      }),
    ).description('The latest first; at most 200.'),
    total: count(),
  },
  () => ({
    items: [
      {
        type: 'instance.create',
        step: 'SERVER_CREATING',
        reason: 'The quota of the project does not allow it.',
        code: 'quota_exceeded',
        status: 409,
      },
    ],
    total: 1,
  }),
);
