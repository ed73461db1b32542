import { flag, id, idOrEmpty, nothing, shapeLike, text } from '@gateway/core/shapes';
import type { User } from '@gateway/resources';

/** A user as administrators see them. */
export const userShape = shapeLike<User>('User', {
  id: id('user'),
  name: text('demo'),
  email: text('demo@example.org'),
  enabled: flag(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default').nullable(),
  default_project_id: id('default_project').nullable(),
  default_project_name: text('demo').nullable(),
  created_at: nothing().describe('Always null: the service does not record it.'),
});
