import { createdResources } from '@gateway/core';
import { id, integer, keyOf, nonEmptyText, oneOf, shapeLike } from '@gateway/core/shapes';
import { type EventData, type ResourceMessage, resourceProgress } from '@gateway/jobs';
import { decisionFields } from './error-shape.ts';
import { estimateFields } from './estimate.ts';

/** The events of a job that creates one resource of a user. */
export const resourceMessageShape = shapeLike<EventData<ResourceMessage>>('ResourceMessage', {
  step: keyOf(resourceProgress, 'COMPLETED'),
  progress: integer(100).min(-1).max(100).describe('Never decreases, except to -1 for a failure.'),
  message: nonEmptyText('The volume is available.'),
  resource_type: oneOf(createdResources, 'volume'),
  resource_id: id('resource')
    .nullable()
    .describe(
      'Null until the resource exists or is changed, and after a failure, which removes what was created.',
    ),
  error: nonEmptyText().nullable(),
  job_id: id('job'),
  ...estimateFields,
  code: nonEmptyText().describe('The kind of failure.').optional(),
  ...decisionFields,
});

/** The end of the description of an endpoint that streams such events. */
export const FOLLOWED =
  'Answers a stream of events that ends when the resource can be used. Leaving the stream does not stop the job: ' +
  '`X-Job-Id` names it, and its events can be followed again. If it fails or is cancelled, what it has created is removed.';
