import { idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';
import { managedClusterShape } from './managed-cluster-shape.ts';

export const adminClusterRowShape = shape('AdminClusterRow', {
  ...managedClusterShape.shape,
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
});

/** A managed cluster of any project. */
export type AdminClusterRow = ShapeType<typeof adminClusterRowShape>;
