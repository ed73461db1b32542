import { id, keyOf, shapeLike } from '@gateway/core/shapes';
import { type InstanceMessage, instanceProgress } from './instance-jobs.ts';
import { eventFields, progressFields } from './message-fields.ts';
import type { EventData } from './progress-message.ts';

export const instanceMessageShape = shapeLike<EventData<InstanceMessage>>('InstanceMessage', {
  step: keyOf(instanceProgress, 'COMPLETED'),
  ...progressFields('The instance is ready.'),
  instance_id: id('instance').nullable(),
  ...eventFields,
});
