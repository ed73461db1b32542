import { flag, id, idOrEmpty, type ShapeType, shape, text, timestamp } from '@gateway/core/shapes';

/** A user as administrators see them. */
export const userShape = shape('User', {
  id: id('user'),
  name: text('demo'),
  /** Empty without one. */
  email: text('demo@example.org'),
  enabled: flag(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').nullable(),
  default_project_id: id('default_project').nullable(),
  default_project_name: text('demo').nullable(),
  created_at: timestamp(null).nullable().describe('Always null: the service does not record it.'),
});

/** A user for administrators. */
export type User = ShapeType<typeof userShape>;
