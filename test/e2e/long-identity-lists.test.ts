import assert from 'node:assert/strict';
import type { AdminProject, Group, ProjectName, User } from '@gateway/resources';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';
import { isRealCloud, simulatedCloud, testLogin } from '../support/stacks/test-stack.ts';

const USERS = '/api/admin/users';
const PROJECTS = '/api/admin/projects';
const GROUPS = '/api/admin/groups';
/** A user with a role in each of many projects, where the cloud has been filled with them. */
const BULK = { username: 'bulk-00001', password: 'bulk-secret', projectName: 'bulk-00001' };

interface Assignments {
  role_assignments: { user?: { id: string }; scope: { project?: { id: string } } }[];
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id).sort();
}

describe('long lists of the identity service', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;

  before(async () => {
    suite = await IdentitySuite.start();
  });

  after(() => suite?.stop());

  it('show every project and user with a role', async () => {
    const { role_assignments: assignments } = await suite.cloud.call<Assignments>(
      'identity',
      'GET',
      '/role_assignments',
    );
    const projects = new Set(assignments.flatMap(({ scope }) => scope.project?.id ?? []));
    const users = new Set(assignments.flatMap(({ user }) => user?.id ?? []));

    const listed = new Set(idsOf(await suite.allPages<AdminProject>(PROJECTS, 100)));
    const named = new Set(idsOf(await suite.read<ProjectName[]>(`${PROJECTS}/names?refresh=true`)));
    const usage = await suite.read<{ project_id: string }[]>('/api/admin/overview/projects?refresh=true');
    const rows = new Set(usage.map(({ project_id }) => project_id));
    const people = new Set(idsOf(await suite.allPages<User>(USERS, 100)));

    for (const id of projects) assert.ok(listed.has(id) && named.has(id) && rows.has(id), id);
    for (const id of users) assert.ok(people.has(id), id);
  });

  it('show a user every project of their own', async function () {
    const bulk = await GatewayClient.logIn(suite.stack.url, BULK).catch(() => null);
    if (bulk === null) {
      if (isRealCloud()) process.stderr.write(`      SKIPPED: there is no user ${BULK.username}\n`);
      return this.skip();
    }
    const { role_assignments: assignments } = await suite.cloud.call<Assignments>(
      'identity',
      'GET',
      `/role_assignments?user.id=${(await bulk.read<{ user_id: string }>('/api/auth/me')).user_id}`,
    );

    const own = await bulk.read<{ id: string }[]>('/api/auth/projects');

    assert.ok(own.length > 1000, `${own.length}`);
    assert.deepEqual(idsOf(own), assignments.flatMap(({ scope }) => scope.project?.id ?? []).sort());
  });
});

describe('the identity service', function () {
  this.timeout(120_000);
  let suite: IdentitySuite;
  let control: CloudsimControl;

  before(async () => {
    suite = await IdentitySuite.start({ ...simulatedCloud, apis: 1 });
    control = new CloudsimControl(suite.stack.cloudsim?.url ?? '');
  });

  afterEach(() => control.set({ maxListLength: 1000, hasDirectories: false }));

  after(() => suite?.stop());

  async function everything() {
    return {
      users: idsOf(await suite.allPages<User>(`${USERS}`, 100)),
      projects: idsOf(await suite.allPages<AdminProject>(`${PROJECTS}`, 100)),
      names: idsOf(await suite.read<ProjectName[]>(`${PROJECTS}/names?refresh=true`)),
      groups: idsOf(await suite.read<Group[]>(`${GROUPS}?refresh=true`)),
      usage: (await suite.read<{ project_id: string }[]>('/api/admin/overview/projects?refresh=true'))
        .map(({ project_id }) => project_id)
        .sort(),
    };
  }

  it('may cut its lists anywhere: all pages are read', async () => {
    for (let index = 0; index < 3; index += 1) {
      await suite.makeUser();
      await suite.makeProject();
      await suite.makeGroup();
    }
    const whole = await everything();
    for (const maxListLength of [1, 2, whole.users.length, null]) {
      await control.set({ maxListLength });
      // A write drops the lists that the gateway holds.
      await suite.makeUser();
      await suite.makeProject();

      const { users, projects, ...rest } = await everything();

      assert.deepEqual([users.length, projects.length], [whole.users.length + 1, projects.length]);
      assert.equal(new Set(users).size, users.length);
      assert.deepEqual(rest.groups, whole.groups);
      assert.deepEqual([rest.names, rest.usage], [projects, projects]);
      assert.equal(projects.length, whole.projects.length + 1);
      whole.users = users;
      whole.projects = projects;
    }
  });

  it('may have a directory per domain: all users and groups are listed', async () => {
    await control.set({ hasDirectories: true });
    const { domain } = await suite.cloud.call<{ domain: { id: string } }>('identity', 'POST', '/domains', {
      domain: { name: freshName('domain') },
    });
    const user = await suite.makeUser({ domain_id: domain.id });
    const group = await suite.makeGroup({ domain_id: domain.id });
    const admin = await GatewayClient.logIn(suite.stack.url, testLogin('admin'));
    const { user_id } = await admin.read<{ user_id: string }>('/api/auth/me');

    const { users, groups } = await everything();

    assert.ok(users.includes(user.id) && users.includes(user_id));
    assert.ok(groups.includes(group.id));
    assert.equal(new Set(users).size, users.length);
  });
});
