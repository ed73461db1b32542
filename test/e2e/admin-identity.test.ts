import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AdminProject, Group, ProjectMember, ProjectName, User } from '@gateway/resources';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { prepareNetwork } from '../support/projects/prepared-cloud.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const USERS = '/api/admin/users';
const PROJECTS = '/api/admin/projects';
const GROUPS = '/api/admin/groups';
const ROLES = '/api/admin/roles';

describe('administration of users, projects, groups and roles', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start();
  });

  after(() => suite?.stop());

  it('creates, lists, changes and deletes users', async () => {
    const name = freshName('user');
    const user = await suite.makeUser({ name, email: 'a@example.test', password: randomUUID() });
    const row = {
      id: user.id,
      name,
      email: 'a@example.test',
      enabled: true,
      domain_id: 'default',
      domain_name: 'Default',
      default_project_id: null,
      default_project_name: null,
      created_at: null,
    };
    assert.deepEqual(user, row);
    const others = [await suite.makeUser({ enabled: false }), await suite.makeUser()];
    assert.deepEqual([others[0]?.enabled, others[1]?.email], [false, '']);

    const all = await suite.allPages<User>(USERS, 2);
    assert.deepEqual(await suite.allPages<User>(USERS, 100), all);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    assert.deepEqual(
      all.find(({ id }) => id === user.id),
      row,
    );
    for (const other of others) assert.ok(all.some(({ id }) => id === other.id));

    const changed = await suite.change(200, 'PATCH', `${USERS}/${user.id}`, {
      name: `${name}-2`,
      email: '',
    });
    assert.deepEqual(changed, { ...row, name: `${name}-2`, email: '' });
    assert.deepEqual(
      (await suite.allPages<User>(USERS, 100)).find(({ id }) => id === user.id),
      changed,
    );
    await suite.refused(409, /name/, ['POST', USERS, { name: `${name}-2` }]);
    await suite.refused(409, /name/, ['PATCH', `${USERS}/${others[0]?.id}`, { name: `${name}-2` }]);
    await suite.refused(404, /domain/, ['POST', USERS, { name: freshName('user'), domain_id: 'nowhere' }]);

    await suite.change(204, 'DELETE', `${USERS}/${user.id}`);
    assert.ok((await suite.allPages<User>(USERS, 100)).every(({ id }) => id !== user.id));
    await suite.refused(404, /user/, ['DELETE', `${USERS}/${user.id}`]);
    await suite.refused(404, /user/, ['PATCH', `${USERS}/${user.id}`, { email: 'b@example.test' }]);
    await suite.refused(400, /marker/, ['GET', `${USERS}?marker=${user.id}`]);
    const me = await suite.read<{ user_id: string }>('/api/auth/me');
    await suite.refused(409, /own account/, ['DELETE', `${USERS}/${me.user_id}`]);
  });

  it('pages through users without repetitions or gaps during additions', async () => {
    const prefix = freshName('paged');
    const names = ['b', 'd', 'f'].map((letter) => `${prefix}-${letter}`);
    const made: User[] = [];
    for (const name of names) made.push(await suite.makeUser({ name }));
    const before = await suite.allPages<User>(USERS, 100);
    const index = before.findIndex(({ id }) => id === made[0]?.id);
    const start = before[index - 1];
    const page = async (marker: string | undefined) =>
      suite.read<{ items: User[]; next_marker: string }>(
        `${USERS}?limit=1${marker === undefined ? '' : `&marker=${marker}`}`,
      );
    const first = await page(start?.id);
    const earlier = await suite.makeUser({ name: `${prefix}-a` });
    const later = await suite.makeUser({ name: `${prefix}-c` });
    const second = await page(first.next_marker);
    const third = await page(second.next_marker);

    assert.deepEqual(
      [first, second, third].map(({ items }) => items[0]?.id),
      [made[0]?.id, later.id, made[1]?.id],
    );
    assert.notEqual(earlier.id, second.items[0]?.id);
  });

  it('creates, lists, renames, disables and deletes projects', async () => {
    const name = freshName('project');
    const project = await suite.makeProject({ name, description: 'for a test' });
    const row = {
      id: project.id,
      name,
      description: 'for a test',
      enabled: true,
      domain_id: 'default',
      domain_name: 'Default',
      created_at: null,
    };
    assert.deepEqual(project, row);
    const names = async () => suite.read<ProjectName[]>(`${PROJECTS}/names`);
    assert.deepEqual(
      (await names()).find(({ id }) => id === project.id),
      { id: project.id, name },
    );
    const all = await suite.allPages<AdminProject>(PROJECTS, 3);
    assert.deepEqual(
      all.map(({ id, name }) => ({ id, name })),
      await names(),
    );
    assert.ok(all.some(({ name }) => name === testLogin('demo').projectName));

    const changes = { name: `${name}-2`, description: '', enabled: false };
    const changed = await suite.change(200, 'PATCH', `${PROJECTS}/${project.id}`, changes);
    assert.deepEqual(changed, { ...row, ...changes });
    assert.deepEqual((await names()).find(({ id }) => id === project.id)?.name, `${name}-2`);
    await suite.refused(409, /name/, ['POST', PROJECTS, { name: `${name}-2` }]);
    await suite.refused(409, /named/, [
      'PATCH',
      `${PROJECTS}/${project.id}`,
      { name: testLogin('demo').projectName },
    ]);
    // Its own name is free.
    await suite.change(200, 'PATCH', `${PROJECTS}/${project.id}`, { name: `${name}-2` });

    await suite.change(204, 'DELETE', `${PROJECTS}/${project.id}`);
    assert.ok((await names()).every(({ id }) => id !== project.id));
    await suite.refused(404, /project/, ['DELETE', `${PROJECTS}/${project.id}`]);
    await suite.refused(404, /project/, ['PATCH', `${PROJECTS}/${project.id}`, { name: 'x' }]);
    await suite.refused(404, /project/, ['GET', `${PROJECTS}/${project.id}/members`]);
    await suite.refused(400, /marker/, ['GET', `${PROJECTS}?marker=${project.id}`]);
  });

  it('keeps a project that owns volumes or networks, with their number', async () => {
    const roleId = await suite.roleId('member');
    const { user_id } = await suite.read<{ user_id: string }>('/api/auth/me');
    const project = await suite.makeProject();
    await suite.assign({ user_id }, project.id, roleId);
    const login = { ...testLogin('admin'), projectName: project.name };
    const inside = await suite.logIn(login);
    const volume = await inside.request<{ id: string }>('POST', '/api/volumes', { name: 'v', size_gb: 1 });
    const cloud = await CloudClient.logIn(suite.stack.identityUrl ?? '', login);
    const networks = [await prepareNetwork(cloud, 'one'), await prepareNetwork(cloud, 'two')];

    const path = `${PROJECTS}/${project.id}`;
    await suite.refused(409, /still owns 1 volume and 2 networks\.$/, ['DELETE', path]);

    for (const network of networks) await network.remove();
    await suite.refused(409, /still owns 1 volume\.$/, ['DELETE', path]);
    await eventually(async () => {
      const { status } = await inside.request('DELETE', `/api/volumes/${volume.body.id}`);
      return status === 404;
    });
    await suite.change(204, 'DELETE', path);
  });

  it('creates, lists, changes and deletes groups, and their members', async () => {
    const name = freshName('group');
    const group = await suite.makeGroup({ name, description: 'of a test' });
    const user = await suite.makeUser();
    const domain = { domain_id: 'default', domain_name: 'Default' };
    const row = { id: group.id, name, description: 'of a test', ...domain };
    assert.deepEqual(group, row);
    const listed = async () => (await suite.read<Group[]>(GROUPS)).find(({ id }) => id === group.id);
    assert.deepEqual(await listed(), row);
    const changed = await suite.change(200, 'PATCH', `${GROUPS}/${group.id}`, { description: '' });
    assert.deepEqual(changed, { ...row, description: '' });
    assert.deepEqual(await listed(), changed);
    await suite.refused(409, /name/, ['POST', GROUPS, { name }]);
    const other = await suite.makeGroup();
    await suite.refused(409, /name/, ['PATCH', `${GROUPS}/${other.id}`, { name }]);

    const members = `${GROUPS}/${group.id}/users`;
    assert.deepEqual(await suite.read<User[]>(members), []);
    await suite.change(204, 'PUT', `${members}/${user.id}`);
    await suite.change(204, 'PUT', `${members}/${user.id}`);
    assert.deepEqual(await suite.read<User[]>(members), [user]);
    await suite.change(204, 'DELETE', `${members}/${user.id}`);
    assert.deepEqual(await suite.read<User[]>(members), []);
    await suite.refused(404, /not found/, ['DELETE', `${members}/${user.id}`]);
    await suite.refused(404, /user/, ['PUT', `${members}/${'0'.repeat(32)}`]);

    await suite.change(204, 'DELETE', `${GROUPS}/${group.id}`);
    assert.equal(await listed(), undefined);
    await suite.refused(404, /group/, ['DELETE', `${GROUPS}/${group.id}`]);
    await suite.refused(404, /group/, ['GET', members]);
    await suite.refused(404, /group/, ['PUT', `${members}/${user.id}`]);
  });

  it('assigns and revokes roles of users and groups', async () => {
    const [roleId, readerId] = [await suite.roleId('member'), await suite.roleId('reader')];
    const [user, group, project] = [
      await suite.makeUser(),
      await suite.makeGroup(),
      await suite.makeProject(),
    ];
    const members = async () => suite.read<ProjectMember[]>(`${PROJECTS}/${project.id}/members`);
    assert.deepEqual(await members(), []);

    assert.deepEqual(await suite.assign({ user_id: user.id }, project.id, roleId), { status: 'assigned' });
    await suite.assign({ user_id: user.id }, project.id, roleId);
    await suite.assign({ user_id: user.id }, project.id, readerId);
    assert.deepEqual(await suite.assign({ group_id: group.id }, project.id, roleId), { status: 'assigned' });

    assert.deepEqual(await members(), [
      { user_id: user.id, user_name: user.name, role_id: roleId, role_name: 'member', type: 'user' },
      { user_id: user.id, user_name: user.name, role_id: readerId, role_name: 'reader', type: 'user' },
      {
        user_id: `group:${group.id}`,
        user_name: `Group: ${group.name}`,
        role_id: roleId,
        role_name: 'member',
        type: 'group',
        group_id: group.id,
      },
    ]);
    assert.deepEqual(await suite.revoke({ user_id: user.id }, project.id, roleId), { status: 'revoked' });
    assert.deepEqual(await suite.revoke({ group_id: group.id }, project.id, roleId), { status: 'revoked' });
    assert.deepEqual(
      (await members()).map(({ role_name }) => role_name),
      ['reader'],
    );
    const gone = `${ROLES}/assign?user_id=${user.id}&project_id=${project.id}&role_id=${roleId}`;
    await suite.refused(404, /role assignment/, ['DELETE', gone]);
    const nobody = { user_id: '0'.repeat(32), project_id: project.id, role_id: roleId };
    await suite.refused(404, /user/, ['POST', `${ROLES}/assign`, nobody]);
    const nowhere = { group_id: group.id, project_id: '0'.repeat(32), role_id: roleId };
    await suite.refused(404, /project/, ['POST', `${ROLES}/assign-group`, nowhere]);
  });
});
