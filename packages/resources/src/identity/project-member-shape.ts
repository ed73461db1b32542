import { idOrEmpty, nonEmptyText, oneOf, type ShapeType, shape, text } from '@gateway/core/shapes';

export const projectMemberShape = shape('ProjectMember', {
  user_id: idOrEmpty('user').describe('For a group, `group:` and its id.'),
  user_name: text('demo').describe('For a group, `Group: ` and its name.'),
  role_id: idOrEmpty('role'),
  role_name: text('member'),
  type: oneOf(['user', 'group']),
  group_id: nonEmptyText().describe('Present for a group.').optional(),
});

/** A role that a user or a group has in a project. */
export type ProjectMember = ShapeType<typeof projectMemberShape>;
