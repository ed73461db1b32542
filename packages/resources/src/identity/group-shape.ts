import { id, idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';

export const groupShape = shape('Group', {
  id: id('group'),
  name: text('operators'),
  description: text(''),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').nullable(),
});

/** A group of users. */
export type Group = ShapeType<typeof groupShape>;
