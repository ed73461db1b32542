import { id, oneOf, type ShapeType, shape } from '@gateway/core/shapes';
import { LEFTOVER_TYPES } from '@gateway/inventory';

const type = () => oneOf(LEFTOVER_TYPES, 'server');

export const leftoverRemovalShape = shape('LeftoverRemoval', {
  job_id: id('job').describe('The job that removes it.'),
  type: type(),
  id: id('leftover_removal'),
});

/** A removal that a job has begun. */
export type StartedRemoval = ShapeType<typeof leftoverRemovalShape>;
