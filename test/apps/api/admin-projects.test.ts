import assert from 'node:assert/strict';
import type { ProjectRecord } from '@gateway/openstack';
import { sealSecret } from '@gateway/webhooks';
import type { ErrorBody } from '../../support/api/client.ts';
import { storeCluster } from '../../support/api/clusters.ts';
import { newCaller, tokenBodyWithout } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const PROJECTS = '/api/admin/projects';
const recorded = fixtureBody<ProjectRecord>('identity/project-create', 'project');
const path = `${PROJECTS}/${recorded.id}`;
const upstreamPath = `/v3/projects/${recorded.id}`;
const childrenPath = `/v3/projects?parent_id=${recorded.id}&limit=1000`;
/** As the service answers for the id of a domain. */
const domain = { ...recorded, id: 'd0'.repeat(16), domain_id: null, parent_id: null, is_domain: true };
/** Of the project, and one of another project, as if the service ignored the filter. */
const rows = (count: number) =>
  Array.from({ length: count + 1 }, (_, index) => {
    const project = index < count ? recorded.id : 'f'.repeat(32);
    const id = `id-${index}`;
    return { id, uuid: id, name: '', device_owner: '', project_id: project, owner: project };
  });

/** What a project can own: a recorded response, the path of the list, and its key in the body. */
const LISTS: [fixture: string, path: RegExp, key: string][] = [
  ['load-balancer/load-balancers', /\/lbaas\/loadbalancers\?project_id=/, 'loadbalancers'],
  ['container-infra/clusters', /\/clusters\/detail$/, 'clusters'],
  ['compute/servers', /\/servers\/detail\?all_tenants=1&project_id=/, 'servers'],
  ['shared-file-system/shares', /\/snapshots\/detail\?all_tenants=1&project_id=/, 'snapshots'],
  ['shared-file-system/shares', /\/shares\/detail\?all_tenants=1&project_id=/, 'shares'],
  ['shared-file-system/shares', /\/share-networks\/detail\?all_tenants=1&project_id=/, 'share_networks'],
  [
    'shared-file-system/shares',
    /\/security-services\/detail\?all_tenants=1&project_id=/,
    'security_services',
  ],
  ['block-storage/backups', /\/backups\/detail\?all_tenants=1&project_id=/, 'backups'],
  ['block-storage/backups', /\/snapshots\/detail\?all_tenants=1&project_id=/, 'snapshots'],
  ['block-storage/backups', /\/volumes\/detail\?all_tenants=1&project_id=/, 'volumes'],
  ['network/networks', /\/floatingips\?project_id=/, 'floatingips'],
  ['network/networks', /\/routers\?project_id=/, 'routers'],
  ['network/networks', /\/ports\?project_id=/, 'ports'],
  ['network/networks', /\/networks\?project_id=/, 'networks'],
  ['network/networks', /\/security-groups\?fields=/, 'security_groups'],
  ['image/images', /\/images\?.*os_hidden=false$/, 'images'],
  ['image/images', /\/images\?.*os_hidden=true$/, 'images'],
];

describe('DELETE /api/admin/projects/{project_id}', () => {
  const suite = apiSuite();

  type Counted = 'images' | 'networks' | 'servers' | 'volumes';

  function owns(counts: { [Key in Counted]?: number | object[] }, lists = LISTS): void {
    suite.cloud
      .reply('identity/project', { path: upstreamPath, body: { project: recorded } })
      .reply('identity/projects', { path: childrenPath, body: { projects: [] } })
      .reply('identity/role-assignments-effective');
    const all = { ...counts, security_groups: [{ id: 'group', name: 'default', project_id: recorded.id }] };
    for (const [fixture, path, key] of lists) {
      const found = all[key as keyof typeof all] ?? 0;
      const body = { [key]: typeof found === 'number' ? rows(found) : found, count: 0 };
      suite.cloud.reply(fixture, { path, body });
    }
  }

  function isDeleted(): void {
    const request = { method: 'DELETE', path: upstreamPath, status: 204, body: '' };
    suite.cloud.reply('identity/project-create', request);
  }

  for (const [counts, text] of [
    [{ servers: 2, volumes: 1, networks: 3 }, '2 instances, 1 volume and 3 networks'],
    [{ servers: 0, volumes: 5, networks: 1 }, '5 volumes and 1 network'],
    [{ servers: 1 }, '1 instance'],
    [{ images: 1 }, '2 images'],
  ] as const) {
    it(`is refused while the project owns ${text}`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      owns(counts);

      const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });

      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
      assert.equal(answer.body.detail, `The project cannot be deleted: it still owns ${text}.`);
    });
  }

  it('is refused while it may own what cannot be read', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    owns({ servers: [{ id: null, project_id: recorded.id }] });

    const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });

    assert.deepEqual([answer.status, answer.body.code], [502, 'upstream_error']);
    assert.match(answer.body.detail, /rows that cannot be read/);
  });

  it('is refused while it owns networks that call it tenant', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    owns({ networks: [{ id: 'network', tenant_id: recorded.id }] });

    const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text);
    assert.match(answer.body.detail, /still owns 1 network\./);
  });

  it('deletes an empty project, and invalidates its members, including group members', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], userId: 'administrator' }));
    const { role_assignments } = fixtureBody<{ role_assignments: { user: { id: string } }[] }>(
      'identity/role-assignments-effective',
    );
    const userIds = [...new Set(role_assignments.map(({ user }) => user.id))];
    assert.equal(userIds.length, 2);
    const members = userIds.map((userId) => newCaller({ userId, projectId: recorded.id }));
    for (const member of members) {
      suite.cloud.acceptsToken(member);
      await api.get('/api/auth/me', { as: member });
    }
    owns({});
    isDeleted();

    const answer = await api.request('DELETE', path, { as: admin });

    assert.equal(answer.status, 204, answer.text);
    for (const member of members) {
      suite.cloud.rejectsToken(member.token);
      assert.equal((await api.get('/api/auth/me', { as: member })).status, 401);
    }
  });

  it('deletes an empty project of a cloud without block storage', async () => {
    const api = await suite.start();
    const admin = newCaller({ roles: ['admin'] });
    suite.cloud.acceptsToken(admin, { body: tokenBodyWithout(admin, 'block-storage', 'volumev3') });
    owns(
      {},
      LISTS.filter(([fixture]) => !fixture.startsWith('block-storage/')),
    );
    isDeleted();

    const answer = await api.request('DELETE', path, { as: admin });

    assert.equal(answer.status, 204, answer.text);
  });

  it('removes the webhooks and quotas that the gateway keeps of the project', async () => {
    const api = await suite.start();
    const { gpuQuotas, nearlyFullQuotas, sealer, webhooks } = api.context;
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const other = 'f'.repeat(32);
    for (const projectId of [recorded.id, other]) {
      const limits = { A100: { type: 'A100', limit: 1 } };
      await gpuQuotas.updateLimits({ projectId }, limits);
      await nearlyFullQuotas.begin(projectId, 'compute:cores', { at: 1, inUse: 8, limit: 10 });
      await webhooks.create(
        {
          projectId,
          url: 'https://hooks.example.org/',
          events: [],
          description: '',
          enabled: true,
          userId: 'u1',
          sealedSecret: sealSecret(sealer, 'whsec_'),
          createdAt: 1,
          updatedAt: 1,
        },
        5,
      );
    }
    owns({});
    isDeleted();

    const answer = await api.request('DELETE', path, { as: admin });

    assert.equal(answer.status, 204, answer.text);
    const counts = async (projectId: string) => [
      (await webhooks.listOfProject(projectId)).length,
      Object.keys(await gpuQuotas.readLimits({ projectId })).length,
      (await nearlyFullQuotas.read(projectId)).size,
    ];
    assert.deepEqual(
      [await counts(recorded.id), await counts(other)],
      [
        [0, 0, 0],
        [1, 1, 1],
      ],
    );
  });

  it('is refused while the project owns a lite cluster, whatever its machines', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    await storeCluster(api, newCaller({ projectId: recorded.id }), { status: 'ERROR' });
    owns({});

    const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
    assert.match(answer.body.detail, /it still owns 1 lite cluster\.$/);
  });

  for (const [failing, status, title] of [
    ['volumes', 500, 'block storage'],
    ['shares', 404, 'shared file system'],
    ['images', 403, 'image'],
  ] as const) {
    it(`names the ${title} service that answers ${status}, with 502`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      suite.cloud
        .reply('identity/project', { path: upstreamPath, body: { project: recorded } })
        .reply('identity/projects', { path: childrenPath, body: { projects: [] } })
        .reply('identity/role-assignments-effective');
      for (const [fixture, path, key] of LISTS) {
        const answers = key === failing ? { status, body: {} } : { body: { [key]: [], count: 0 } };
        suite.cloud.reply(fixture, { path, ...answers, times: 4, optional: true });
      }

      const answer = await api.request<ErrorBody>('DELETE', path, { as: admin });

      assert.deepEqual([answer.status, answer.body.code], [502, 'upstream_error']);
      assert.match(answer.body.detail, new RegExp(`the ${title} service does not say`));
    });
  }
});

describe('PATCH /api/admin/projects/{project_id}', () => {
  const suite = apiSuite();
  const reply = (method: string, body: unknown, options: object = {}) =>
    suite.cloud.reply('identity/project-create', {
      method,
      path: upstreamPath,
      status: 200,
      body,
      ...options,
    });

  it('checks for the new name first, because one release breaks the connection', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const query = `?name=taken&domain_id=${recorded.domain_id}&limit=1000`;
    reply('GET', { project: recorded });
    suite.cloud.reply('identity/projects', {
      path: `/v3/projects${query}`,
      body: { projects: [{ ...recorded, id: 'other', name: 'Taken' }] },
    });

    const answer = await api.request<ErrorBody>('PATCH', path, { as: admin, body: { name: 'taken' } });

    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  });

  it('changes a description of any length after one read', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const description = 'a sentence. '.repeat(1000).trim();
    const changed = { ...recorded, description };
    reply('GET', { project: recorded });
    reply('PATCH', { project: changed }, { requestBody: { project: { description } } });

    const answer = await api.request('PATCH', path, { as: admin, body: { description } });

    assert.deepEqual(answer.body, {
      id: recorded.id,
      name: recorded.name,
      description,
      enabled: true,
      domain_id: recorded.domain_id,
      domain_name: 'Default',
      created_at: null,
    });
  });

  it('refuses input that no project can have, before any call', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    for (const [method, url, body] of [
      ['PATCH', path, { enabled: 'no' }],
      ['PATCH', path, { name: 'x'.repeat(65) }],
      ['PATCH', path, { enabled: 1 }],
      ['POST', PROJECTS, {}],
      ['POST', PROJECTS, { name: 'x'.repeat(65) }],
      ['POST', PROJECTS, { name: 'x', description: 7 }],
      ['POST', PROJECTS, { name: 'x', description: 'x'.repeat(16_384) }],
    ] as const) {
      const answer = await api.request(method, url, { as: admin, body });
      assert.equal(answer.status, 400, `${method} ${JSON.stringify(body)}`);
    }
  });
});

describe('a project with child projects', () => {
  const suite = apiSuite();
  const children = (count: number) =>
    Array.from({ length: count + 1 }, (_, index) => ({
      ...recorded,
      id: `child-${index}`,
      enabled: false,
      // The last one as if the service ignored the filter.
      parent_id: index < count ? recorded.id : 'default',
    }));

  function has(count: number): void {
    suite.cloud
      .reply('identity/project', { path: upstreamPath, body: { project: recorded } })
      .reply('identity/projects', { path: childrenPath, body: { projects: children(count) } });
  }

  for (const [method, url, count, text] of [
    ['DELETE', path, 1, 'deleted: it has 1 child project,'],
    ['POST', `${path}/purge`, 2, 'purged: it has 2 child projects,'],
  ] as const) {
    it(`cannot be ${text.split(':')[0]}, though they are disabled`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      has(count);
      if (method === 'POST')
        suite.cloud.reply('network/networks', { path: /\/networks\?project_id=/, body: { networks: [] } });

      const answer = await api.request<ErrorBody>(method, url, { as: admin });

      assert.deepEqual([answer.status, answer.body.reason], [409, 'not_empty'], answer.text);
      assert.equal(answer.body.detail, `The project cannot be ${text} which must be deleted first.`);
    });
  }

  it('shows their number in the preview of a purge', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    has(2);
    for (const [fixture, path, key] of LISTS)
      if (key !== 'images') suite.cloud.reply(fixture, { path, body: { [key]: [], count: 0 } });

    const { body, status } = await api.get<object>(`${path}/purge`, { as: admin });

    const { id, name } = recorded;
    const shown = { project_id: id, project_name: name, enabled: true, child_projects: 2, resources: [] };
    assert.deepEqual([status, body], [200, shown]);
  });
});

describe("the project of the administrator's session", () => {
  const suite = apiSuite();

  for (const [method, url, body, done] of [
    ['PATCH', path, { enabled: false, name: 'x' }, 'disabled'],
    ['DELETE', path, undefined, 'deleted'],
    ['POST', `${path}/purge`, undefined, 'purged'],
  ] as const) {
    it(`cannot be ${done}`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'], projectId: recorded.id }));
      suite.cloud.reply('identity/project', { path: upstreamPath, body: { project: recorded } });

      const answer = await api.request<ErrorBody>(method, url, { as: admin, body });

      assert.deepEqual([answer.status, answer.body.reason], [409, 'protected'], answer.text);
      assert.match(answer.body.detail, new RegExp(`cannot be ${done} from within`));
    });
  }
});

describe('the id of a domain in the place of a project', () => {
  const suite = apiSuite();
  const at = `${PROJECTS}/${domain.id}`;
  const user = { user_id: 'u1', project_id: domain.id, role_id: 'r1' };
  const group = { group_id: 'g1', project_id: domain.id, role_id: 'r1' };

  for (const [method, url, body] of [
    ['PATCH', at, { enabled: false }],
    ['PATCH', at, { name: 'x' }],
    ['PATCH', at, { description: 'x' }],
    ['PATCH', at, {}],
    ['DELETE', at],
    ['GET', `${at}/purge`],
    ['POST', `${at}/purge`],
    ['GET', `${at}/members`],
    ['GET', `/api/admin/quotas/${domain.id}`],
    ['GET', `/api/admin/gpu-quotas/${domain.id}`],
    ['PUT', `/api/admin/gpu-quotas/${domain.id}`, { A100: 1 }],
    ['POST', '/api/admin/roles/assign', user],
    ['DELETE', `/api/admin/roles/assign?${new URLSearchParams(user)}`],
    ['POST', '/api/admin/roles/assign-group', group],
    ['DELETE', `/api/admin/roles/assign-group?${new URLSearchParams(group)}`],
  ] as const) {
    it(`is 404, and changes nothing: ${method} ${url} ${JSON.stringify(body ?? {})}`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      suite.cloud
        .reply('identity/project', { path: `/v3/projects/${domain.id}`, body: { project: domain } })
        .reply('identity/role-assignments', { path: /role_assignments/, optional: true });

      const answer = await api.request<ErrorBody>(method, url, { as: admin, body });

      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], answer.text);
      assert.equal(answer.body.detail, 'There is no such project: the id is that of a domain.');
      const writes = suite.cloud.calls().filter((call) => !call.startsWith('GET '));
      assert.deepEqual(writes, []);
    });
  }
});

describe('GET /api/admin/projects/{project_id}/members', () => {
  const suite = apiSuite();

  it('omits roles for child projects only, and marks groups', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const scope = { project: { id: recorded.id } };
    const role = { id: 'r1', name: 'member' };
    suite.cloud
      .reply('identity/project-create', { method: 'GET', path: upstreamPath, status: 200 })
      .reply('identity/role-assignments', {
        path: `/v3/role_assignments?scope.project.id=${recorded.id}&include_names=true`,
        body: {
          role_assignments: [
            { role, scope, group: { id: 'g1', name: 'staff' } },
            { role, scope, user: { id: 'u2', name: 'zoe' } },
            { role, scope, user: { id: 'u1', name: 'abe' } },
            { role, scope: { ...scope, 'OS-INHERIT:inherited_to': 'projects' }, user: { id: 'u3' } },
          ],
        },
      });

    const { body } = await api.get(`${path}/members`, { as: admin });

    const roleOf = { role_id: 'r1', role_name: 'member' };
    assert.deepEqual(body, [
      { user_id: 'u1', user_name: 'abe', ...roleOf, type: 'user' },
      { user_id: 'u2', user_name: 'zoe', ...roleOf, type: 'user' },
      { user_id: 'group:g1', user_name: 'Group: staff', ...roleOf, type: 'group', group_id: 'g1' },
    ]);
  });
});
