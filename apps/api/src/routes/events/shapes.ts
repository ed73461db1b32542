import { RESOURCE_ID, watchedResources } from '@gateway/core';
import { id, nonEmptyText, oneOf, shape, text } from '@gateway/core/shapes';

/** The types of events: jobs, and the resources whose lists are watched. */
export const eventTypes = ['job', ...watchedResources] as const;

/** The data of an event. Scripts of the store write it; see `append-change.ts` in `packages/jobs`. */
export const resourceEventShape = shape('ResourceEvent', {
  type: oneOf(eventTypes, 'instance'),
  id: id('resource_event').describe('The id of the resource; the name of a key pair.'),
  change: oneOf(['created', 'updated', 'deleted'], 'updated'),
  state: text('SHUTOFF')
    .nullable()
    .describe('As in the list of the resource; null if it has none, or is deleted.'),
  job_id: nonEmptyText()
    .regex(RESOURCE_ID)
    .nullable()
    .describe('The job that has made the change, if it is known.'),
});
