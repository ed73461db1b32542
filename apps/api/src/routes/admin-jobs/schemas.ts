import { jobStatuses, jobTypes } from '@gateway/jobs';
import Joi from 'joi';
import { chosenIdField, idField } from '../../http/schemas/fields.ts';
import { pageQuery } from '../../http/schemas/page.ts';
import { jobStates } from '../jobs/shapes.ts';
import type { AdminJobQuery } from './handlers.ts';

const seconds = () =>
  Joi.number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER / 1000);

export const adminJobQuery = Joi.object<AdminJobQuery>({
  ...pageQuery,
  type: Joi.string().valid(...Object.keys(jobTypes).toSorted()),
  status: Joi.string()
    .valid(...jobStatuses)
    .meta({ name: 'JobStatus' }),
  state: Joi.string()
    .valid(...jobStates)
    .meta({ name: 'JobState' })
    .description('As `status`, where `rolling_back` and `held` are states of their own.'),
  project_id: idField(),
  resource_id: idField().description('Only jobs that create or change this resource.'),
  user_id: chosenIdField().description('Only jobs that this user has started.'),
  has_ended: Joi.boolean().description('Only jobs that have ended, or only those that have not.'),
  min_age_seconds: seconds().description('Only jobs that were created at least so long ago.'),
  max_age_seconds: seconds().description('Only jobs that were created at most so long ago.'),
});
