import { flag, id, idOrEmpty, listOf, nonEmptyText, type ShapeType, shape, text } from '@gateway/core/shapes';

export const profileShape = shape('Profile', {
  user_id: id('user'),
  username: text('demo'),
  email: text('demo@example.org').nullable(),
  domain_id: idOrEmpty('domain'),
  domain_name: text('Default'),
  default_project_id: id('default_project').nullable(),
  default_project_name: text('demo').nullable().describe('Null for another project than that of the token.'),
  enabled: flag(),
  roles: listOf(nonEmptyText('member')).describe('Those held in the current project.'),
});

export type Profile = ShapeType<typeof profileShape>;
