import type { CallContext, Identity, Openstack, PasswordCredentials, ProjectScope } from '@gateway/openstack';
import { record } from './recorder.ts';
import { unknownId } from './scenario.ts';

interface Logins {
  openstack: Openstack;
  call: CallContext;
  login: PasswordCredentials;
  project: ProjectScope;
  me: Identity;
  /** An administrator. */
  root: Identity;
}

export async function recordIdentity({ openstack, call, login, project, me, root }: Logins): Promise<void> {
  const mine = openstack.as(me, call);
  const admin = openstack.as(root, call);
  await record('identity/token', () => openstack.identity.authenticate({ ...login, project }, call));
  await record('identity/token-unscoped', () => openstack.identity.authenticate(login, call));
  await record('identity/token-validate', () => openstack.identity.validate(me.token, call));
  await record('identity/token-rescope', () => openstack.identity.rescope(me.token, me.projectId, call));
  await record('identity/token-wrong-password', () =>
    openstack.identity.authenticate({ ...login, password: 'wrong' }, call),
  );
  await record('identity/token-no-access', () => openstack.identity.rescope(me.token, unknownId, call));
  await record('identity/token-unreadable', () =>
    openstack.identity.rescope('unreadable', me.projectId, call),
  );
  await record('identity/token-unknown', () => openstack.identity.validate('unknown', call));
  await record('identity/projects-mine', () => mine.identity.projects.listMine());
  await record('identity/projects', () => admin.identity.projects.list());
  await record('identity/project', () => admin.identity.projects.get(me.projectId));
  await record('identity/users', () => admin.identity.users.list());
  await record('identity/domains', () => admin.identity.domains.list());
  await record('identity/user', () => mine.identity.users.get(me.userId));
  await record('identity/user-forbidden', () => mine.identity.users.get(root.userId));
  await record('identity/password-wrong', () =>
    mine.identity.users.changePassword(me.userId, { current: 'wrong', new: 'newer' }),
  );
  const trust = await record('identity/trust-create', () =>
    mine.identity.trusts.create({
      trustor_user_id: me.userId,
      trustee_user_id: root.userId,
      project_id: me.projectId,
      impersonation: true,
      roles: [{ name: 'member' }],
    }),
  );
  if (trust === undefined) return;
  await record('identity/trust', () => mine.identity.trusts.get(trust.id));
  await record('identity/trust-remove', () => mine.identity.trusts.remove(trust.id));
}

/** The operations of administrators on users, groups, roles and projects. */
export async function recordAdministration({ openstack, call, me, root }: Logins): Promise<void> {
  const { groups, projects, roles, users } = openstack.as(root, call).identity;
  const name = 'record-administration';
  const found = await record('identity/roles', () => roles.list());
  const role = found?.find((one) => one.name === 'member');
  const project = await record('identity/project-create', () =>
    projects.create({ name, description: 'A project' }),
  );
  const user = await record('identity/user-create', () =>
    users.create({ name, email: 'record@example.test', password: 'recorded' }),
  );
  const group = await record('identity/group-create', () => groups.create({ name, description: 'A group' }));
  if (role === undefined || project === undefined || user === undefined || group === undefined) return;
  const where = { projectId: project.id, roleId: role.id };
  await record('identity/user-exists', () => users.create({ name }));
  await record('identity/user-update', () => users.update(user.id, { email: '' }));
  await record('identity/groups', () => groups.list());
  await record('identity/group-member-missing', () => groups.removeUser(group.id, user.id));
  await record('identity/group-add-user', () => groups.addUser(group.id, user.id));
  await record('identity/group-users', () => groups.listUsers(group.id));
  await record('identity/grant', () => roles.grant({ ...where, holder: 'group', holderId: group.id }));
  await roles.grant({ ...where, holder: 'user', holderId: me.userId });
  await record('identity/role-assignments', () => roles.listAssignments(project.id));
  await record('identity/role-assignments-effective', () => roles.listUserIds(project.id));
  await record('identity/grant-missing', () => roles.revoke({ ...where, holder: 'user', holderId: user.id }));
  await record('identity/user-remove', () => users.remove(user.id));
  await groups.remove(group.id);
  await projects.remove(project.id);
}
