import { idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';
import { containerFields } from './container-shape.ts';

export const adminContainerShape = shape('AdminContainer', {
  ...containerFields,
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
});

/** A container of any project. */
export type AdminContainer = ShapeType<typeof adminContainerShape>;
