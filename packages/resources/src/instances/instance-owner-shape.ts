import { idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';

export const instanceOwnerShape = shape('InstanceOwner', {
  user_id: idOrEmpty('user'),
  user_name: text('demo').describe('Empty if the caller may not read it.'),
  project_id: idOrEmpty('project'),
  project_name: text('demo'),
});

export type InstanceOwner = ShapeType<typeof instanceOwnerShape>;
