import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AdminProject, Domain, Group, User } from '@gateway/resources';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { freshName, IdentitySuite } from '../support/stacks/identity-suite.ts';
import { isRealCloud, testLogin } from '../support/stacks/test-stack.ts';

const DOMAINS = '/api/admin/domains';

describe('administration of domains', function () {
  this.timeout(300_000);
  let suite: IdentitySuite;

  before(async () => {
    // Within the time of the tests, only an invalidation removes an entry of a process's cache.
    suite = await IdentitySuite.start();
  });

  after(() => suite?.stop());

  async function makeDomain(): Promise<Domain> {
    const domain = await suite.change<Domain>(201, 'POST', DOMAINS, { name: freshName('domain') });
    suite.atEnd(async () => {
      await suite.admin.request('PATCH', `${DOMAINS}/${domain.id}`, { enabled: false });
      await suite.admin.request('DELETE', `${DOMAINS}/${domain.id}`);
    });
    return domain;
  }

  const all = () => suite.read<Domain[]>(DOMAINS);
  const listed = async (id: string) => (await all()).find((domain) => domain.id === id);

  it('creates, lists, renames and deletes domains', async () => {
    await all();
    const domain = await makeDomain();
    const { id, name } = domain;
    const path = `${DOMAINS}/${id}`;
    assert.deepEqual(domain, { id, name, description: '', enabled: true });
    assert.deepEqual([await listed(id), await suite.read(path)], [domain, domain]);
    await suite.refused(409, /./, ['POST', DOMAINS, { name }]);
    const other = await makeDomain();
    await suite.refused(409, /named/, ['PATCH', path, { name: other.name }]);

    const changes = { name: `${name}-2`, description: 'of a test' };
    const changed = await suite.change<Domain>(200, 'PATCH', path, changes);

    assert.deepEqual(changed, { ...domain, ...changes });
    assert.deepEqual([await listed(id), await suite.read(path)], [changed, changed]);
    await suite.refused(409, /Disable it first/, ['DELETE', path]);
    await suite.change(200, 'PATCH', path, { enabled: false });
    await suite.change(204, 'DELETE', path);
    assert.equal(await listed(id), undefined);
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'x' }]] as const) {
      await suite.refused(404, /domain/, [method, path, body]);
    }
  });

  it('shows the new name beside users, groups and projects', async () => {
    const domain = await makeDomain();
    const domain_id = domain.id;
    const made = [
      await suite.makeUser({ domain_id }),
      await suite.makeGroup({ domain_id }),
      await suite.makeProject({ domain_id }),
    ];
    const rows = async () => [
      (await suite.allPages<User>('/api/admin/users', 100)).find(({ id }) => id === made[0]?.id),
      (await suite.read<Group[]>('/api/admin/groups')).find(({ id }) => id === made[1]?.id),
      (await suite.allPages<AdminProject>('/api/admin/projects', 100)).find(({ id }) => id === made[2]?.id),
    ];
    assert.deepEqual(
      (await rows()).map((row) => row?.domain_name),
      made.map(() => domain.name),
    );

    const name = `${domain.name}-2`;
    await suite.change(200, 'PATCH', `${DOMAINS}/${domain_id}`, { name });

    assert.deepEqual(
      (await rows()).map((row) => row?.domain_name),
      [name, name, name],
    );
  });

  it('lets nobody into a disabled domain, until it is enabled', async () => {
    const domain = await makeDomain();
    const path = `${DOMAINS}/${domain.id}`;
    const password = randomUUID();
    const member = await suite.roleId('member');
    const user = await suite.makeUser({ password, domain_id: domain.id });
    const outsider = await suite.makeUser({ password });
    const project = await suite.makeProject({ domain_id: domain.id });
    const login = (username: string, user_domain: string) => ({
      username,
      password,
      user_domain,
      project_name: project.name,
      project_domain: domain.id,
    });
    const clients: GatewayClient[] = [];
    for (const [{ id, name }, user_domain] of [
      [user, domain.id],
      [outsider, 'default'],
    ] as const) {
      await suite.assign({ user_id: id }, project.id, member);
      const anybody = new GatewayClient(suite.stack.url, '', '');
      const { body, text } = await anybody.request<{ token: string }>(
        'POST',
        '/api/auth/login',
        login(name, user_domain),
      );
      assert.ok(body.token, text);
      const here = new GatewayClient(suite.stack.url, body.token, project.id);
      clients.push(here, here.at(suite.otherUrl));
    }
    const statuses = async () =>
      Promise.all(clients.map(async (client) => (await client.request('GET', '/api/auth/me')).status));
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);

    await suite.change(200, 'PATCH', path, { enabled: false });

    await eventually(async () => {
      assert.deepEqual(await statuses(), [401, 401, 401, 401]);
      return true;
    });
    const anybody = new GatewayClient(suite.stack.url, '', '');
    const refused = await anybody.request('POST', '/api/auth/login', login(user.name, domain.id));
    assert.equal(refused.status, 401);
    await suite.refused(409, /1 project\.$/, ['DELETE', path]);
    await suite.change(200, 'PATCH', path, { enabled: true });
    const again = await anybody.request('POST', '/api/auth/login', login(user.name, domain.id));
    assert.equal(again.status, 200, again.text);
  });

  it('deletes users and groups with the domain', async () => {
    const domain = await makeDomain();
    const path = `${DOMAINS}/${domain.id}`;
    const user = await suite.makeUser({ domain_id: domain.id });
    const group = await suite.makeGroup({ domain_id: domain.id });
    await suite.change(200, 'PATCH', path, { enabled: false });

    await suite.change(204, 'DELETE', path);

    assert.ok((await suite.allPages<User>('/api/admin/users', 100)).every(({ id }) => id !== user.id));
    assert.ok((await suite.read<Group[]>('/api/admin/groups')).every(({ id }) => id !== group.id));
  });

  it('keeps a domain from all that takes the id of a project', async () => {
    const domain = await makeDomain();
    const user = await suite.makeUser({ domain_id: domain.id });
    const [path, role] = [`/api/admin/projects/${domain.id}`, await suite.roleId('member')];
    const assigned = { user_id: user.id, project_id: domain.id, role_id: role };
    for (const [method, at, body] of [
      ['PATCH', path, { enabled: false }],
      ['DELETE', path],
      ['GET', `${path}/purge`],
      ['POST', `${path}/purge`],
      ['GET', `${path}/members`],
      ['GET', `/api/admin/quotas/${domain.id}`],
      ['POST', '/api/admin/roles/assign', assigned],
    ] as const) {
      await suite.refused(404, /the id is that of a domain/, [method, at, body]);
    }

    assert.deepEqual(await suite.read(`${DOMAINS}/${domain.id}`), domain);
    const projects = await suite.allPages<AdminProject>('/api/admin/projects', 100);
    assert.ok(projects.every(({ id }) => id !== domain.id));
  });

  it('is for administrators, and keeps their own domain', async () => {
    const demo = await suite.logIn(testLogin('demo'));
    const domain = await makeDomain();
    const path = `${DOMAINS}/${domain.id}`;
    for (const [method, at, body] of [
      ['GET', path],
      ['POST', DOMAINS, { name: 'x' }],
      ['PATCH', path, { enabled: false }],
      ['DELETE', path],
    ] as const) {
      await suite.refused(403, /./, [method, at, body], demo);
    }
    const [own] = (await all()).filter(({ id }) => id === 'default');
    if (isRealCloud() && own === undefined) return;
    await suite.refused(409, /your own/, ['PATCH', `${DOMAINS}/default`, { enabled: false }]);
    await suite.refused(409, /your own/, ['DELETE', `${DOMAINS}/default`]);
    await suite.refused(409, /log-ins/, ['PATCH', `${DOMAINS}/default`, { name: 'Other' }]);
  });
});
