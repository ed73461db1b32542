import { id, idOrEmpty, type ShapeType, shape, text } from '@gateway/core/shapes';

export const roleShape = shape('Role', {
  id: id('role'),
  name: text('member'),
  domain_id: idOrEmpty('domain').nullable().describe('Null for a role of all domains.'),
  domain_name: text('Default').nullable(),
});

export type Role = ShapeType<typeof roleShape>;
