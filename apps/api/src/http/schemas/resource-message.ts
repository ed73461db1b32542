import { createdResources } from '@gateway/core';
import { type EventData, type ResourceMessage, resourceProgress } from '@gateway/jobs';
import Joi from 'joi';
import { estimateFields } from './estimate.ts';
import { shape } from './fields.ts';

/** The events of a job that creates one resource of a user. */
export const resourceMessageShape = shape<EventData<ResourceMessage>>(
  'ResourceMessage',
  {
    step: Joi.string().valid(...Object.keys(resourceProgress)),
    progress: Joi.number()
      .integer()
      .min(-1)
      .max(100)
      .description('Never decreases, except to -1 for a failure.'),
    message: Joi.string(),
    resource_type: Joi.string().valid(...createdResources),
    resource_id: Joi.string()
      .allow(null)
      .description(
        'Null until the resource exists or is changed, and after a failure, which removes what was created.',
      ),
    error: Joi.string().allow(null),
    job_id: Joi.string(),
    ...estimateFields,
    code: Joi.string().optional().description('The kind of failure.'),
  },
  () => ({ step: 'COMPLETED', progress: 100, message: 'The volume is available.', resource_type: 'volume' }),
);

/** The end of the description of an endpoint that streams such events. */
export const FOLLOWED =
  'Answers a stream of events that ends when the resource can be used. Leaving the stream does not stop the job: ' +
  '`X-Job-Id` names it, and its events can be followed again. If it fails or is cancelled, what it has created is removed.';
