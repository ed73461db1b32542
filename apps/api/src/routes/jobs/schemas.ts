import type { JobState, JobStatus, Leftover, presentJob } from '@gateway/jobs';
import Joi from 'joi';
import { estimateFields } from '../../http/schemas/estimate.ts';
import {
  type FieldsOf,
  listOf,
  nullableText,
  part,
  shape,
  text,
  timestamp,
} from '../../http/schemas/fields.ts';

export const jobStatuses: JobStatus[] = ['queued', 'running', 'completed', 'failed', 'cancelled'];
export const jobStates: JobState[] = [
  'queued',
  'running',
  'rolling_back',
  'held',
  'completed',
  'failed',
  'cancelled',
];

type PresentedJob = ReturnType<typeof presentJob>;

export const jobFields: FieldsOf<PresentedJob> = {
  id: Joi.string(),
  type: Joi.string(),
  status: Joi.string().valid(...jobStatuses),
  state: Joi.string()
    .valid(...jobStates)
    .description(
      'The status; `rolling_back` while a running job undoes what it has done, and `held` while no worker runs it until an administrator releases it.',
    ),
  step: Joi.string()
    .allow(null)
    .description(
      'That of the last event; `ROLLING_BACK`, for lite clusters `rolling_back`, while the job is undone.',
    ),
  progress: Joi.number().integer(),
  message: text(),
  resource_type: nullableText().description('What the job creates or changes, such as `instance`.'),
  resource_id: Joi.string().allow(null).description('Null until it is known.'),
  resource_name: nullableText().description('As the request named it; null if the gateway does not know it.'),
  user_id: Joi.string().description('Who has started the job.'),
  user_name: nullableText().description('Null for a job that the gateway has started.'),
  error: Joi.string().allow(null).description('Why the job has failed, or is being undone.'),
  leftovers: listOf(
    part<Leftover>({
      type: Joi.string(),
      id: text(),
      reason: text(),
    }),
  ).description('Resources that could not be removed after a failure.'),
  created_at: timestamp(),
  started_at: timestamp().allow(null).description('Null until a worker has begun.'),
  updated_at: timestamp(),
  ended_at: timestamp().allow(null).description('Null until the job has ended.'),
  ...estimateFields,
};

export const jobShape = shape<PresentedJob>('Job', jobFields, () => ({
  type: 'instance.create',
  status: 'completed',
  state: 'completed',
  resource_type: 'instance',
  resource_name: 'web-1',
}));
