import { createdResources } from '@gateway/core';
import { id, keyOf, oneOf, shapeLike } from '@gateway/core/shapes';
import { eventFields, progressFields } from './message-fields.ts';
import type { EventData } from './progress-message.ts';
import { type ResourceMessage, resourceProgress } from './resource-jobs.ts';

/** The events of a job that creates one resource of a user. */
export const resourceMessageShape = shapeLike<EventData<ResourceMessage>>('ResourceMessage', {
  step: keyOf(resourceProgress, 'COMPLETED'),
  ...progressFields('The volume is available.'),
  resource_type: oneOf(createdResources, 'volume'),
  resource_id: id('resource')
    .nullable()
    .describe(
      'Null until the resource exists or is changed, and after a failure, which removes what was created.',
    ),
  ...eventFields,
});
