import {
  enumOf,
  fieldErrors,
  id,
  integer,
  listOf,
  nonEmptyText,
  part,
  shape,
  text,
  timestamp,
} from '@gateway/core/shapes';
import { type JobState, jobStatuses } from '@gateway/jobs';
import { estimateFields } from '@gateway/jobs/shapes';

export const jobStates: JobState[] = [
  'queued',
  'running',
  'rolling_back',
  'held',
  'completed',
  'failed',
  'cancelled',
];

export const jobFields = {
  id: id('job'),
  type: nonEmptyText('instance.create'),
  status: enumOf('JobStatus', jobStatuses, 'completed'),
  state: enumOf('JobState', jobStates, 'completed').describe(
    'The status; `rolling_back` while a running job undoes what it has done, and `held` while no worker runs it until an administrator releases it.',
  ),
  step: nonEmptyText('COMPLETED')
    .nullable()
    .describe(
      'That of the last event; `ROLLING_BACK`, for lite clusters `rolling_back`, while the job is undone.',
    ),
  progress: integer(100),
  message: text('The instance is ready.'),
  resource_type: text('instance').nullable().describe('What the job creates or changes, such as `instance`.'),
  resource_id: id('resource').nullable().describe('Null until it is known.'),
  resource_name: text('web-1')
    .nullable()
    .describe('As the request named it; null if the gateway does not know it.'),
  user_id: id('user').describe('Who has started the job.'),
  user_name: text('demo').nullable().describe('Null for a job that the gateway has started.'),
  error: nonEmptyText().nullable().describe('Why the job has failed, or is being undone.'),
  errors: fieldErrors([]).describe('The fields of the request that are the cause of the failure.'),
  leftovers: listOf(
    part({
      type: nonEmptyText(),
      id: text(),
      reason: text('The service refuses to delete it.'),
    }),
    [],
  ).describe('Resources that could not be removed after a failure.'),
  created_at: timestamp(),
  started_at: timestamp().nullable().describe('Null until a worker has begun.'),
  updated_at: timestamp(),
  ended_at: timestamp(null).nullable().describe('Null until the job has ended.'),
  ...estimateFields,
};

export const jobShape = shape('Job', jobFields);
