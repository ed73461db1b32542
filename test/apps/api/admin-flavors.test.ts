import assert from 'node:assert/strict';
import type { FlavorRecord } from '@gateway/openstack';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixture, fixtureBody } from '../../support/doubles/upstream.ts';

const FLAVORS = '/api/admin/flavors';
const recorded = fixtureBody<FlavorRecord>('compute/flavor-create-private', 'flavor');
const path = `${FLAVORS}/${recorded.id}`;
const upstreamPath = `/v2.1/flavors/${recorded.id}`;
const [access] = fixtureBody<{ tenant_id: string }[]>('compute/flavor-access', 'flavor_access');
const projectId = access?.tenant_id ?? '';
const project = { ...fixtureBody<object>('identity/project', 'project'), id: projectId, name: 'tenant' };

const ROW = {
  id: recorded.id,
  name: recorded.name,
  vcpus: 1,
  ram: 64,
  disk: 0,
  is_public: false,
  extra_specs: {},
  is_gpu: false,
  gpu_count: 0,
  description: 'For some projects',
};

interface Page {
  items: { id: string; description: string; gpu_count: number }[];
  next_marker: string | null;
  count: number;
}

describe('GET /api/admin/flavors', () => {
  const suite = apiSuite();
  const listed = (ids: string[], hasMore: boolean) => ({
    flavors: ids.map((id) => ({ ...recorded, id, description: null })),
    ...(hasMore && { flavors_links: [{ rel: 'next', href: 'http://nova/flavors/detail?marker=x' }] }),
  });

  for (const [query, filter] of [
    ['', 'None'],
    ['&is_public=true', 'true'],
    ['&is_public=false', 'false'],
  ] as const) {
    it(`asks the service for ${filter} as is_public, and for one page`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      suite.cloud.reply('compute/flavors-all', {
        path: `/v2.1/flavors/detail?is_public=${filter}&limit=3&marker=m`,
        body: listed(['a', 'b', 'c'], true),
      });

      const { body } = await api.get<Page>(`${FLAVORS}?limit=2&marker=m${query}`, { as: admin });

      assert.deepEqual([body.items.map(({ id }) => id), body.count, body.next_marker], [['a', 'b'], 2, 'b']);
      assert.equal(body.items[0]?.description, '');
    });
  }

  it('shows GPUs, and no next marker on a full last page', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const gpu = { ...recorded, extra_specs: { 'pci_passthrough:alias': 'a100:2,a100-audio:2' } };
    suite.cloud.reply('compute/flavors-all', {
      path: '/v2.1/flavors/detail?is_public=None&limit=2',
      body: { flavors: [gpu] },
    });

    const { body } = await api.get<Page>(`${FLAVORS}?limit=1`, { as: admin });

    assert.deepEqual(body, {
      items: [{ ...ROW, extra_specs: gpu.extra_specs, is_gpu: true, gpu_count: 2 }],
      next_marker: null,
      count: 1,
    });
  });

  it('is 400 for a marker that the service does not know', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('compute/flavors-all', {
      path: /\/flavors\/detail\?/,
      status: 400,
      body: { badRequest: { code: 400, message: 'marker [x] not found' } },
    });

    const answer = await api.get<ErrorBody>(`${FLAVORS}?marker=x`, { as: admin });

    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, 'query.marker']);
  });
});

describe('POST and DELETE /api/admin/flavors', () => {
  const suite = apiSuite();

  it('create and delete a flavor, and invalidate the lists of all projects', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const member = suite.cloud.validCaller(newCaller({ userId: 'a-member', projectId: 'p'.repeat(32) }));
    const projects = { projects: [{ ...project, id: member.projectId }] };
    const { is_public, vcpus, name, ram, disk, description } = ROW;
    suite.cloud
      .reply('compute/flavors', { times: 3 })
      .reply('identity/projects', { body: projects, times: 2 });
    suite.cloud.reply('compute/flavor-create-private', {
      requestBody: {
        flavor: { name, ram, vcpus, disk, description, 'os-flavor-access:is_public': is_public },
      },
    });
    await api.get('/api/flavors', { as: member });
    await api.get('/api/flavors', { as: member });

    const body = { name, vcpus, ram, disk, description, is_public };
    const created = await api.post(FLAVORS, { as: admin, body });
    assert.deepEqual([created.status, created.body], [201, ROW]);
    await api.get('/api/flavors', { as: member });

    suite.cloud.reply('compute/flavor', { method: 'DELETE', path: upstreamPath, status: 202, body: '' });
    assert.equal((await api.request('DELETE', path, { as: admin })).status, 204);
    await api.get('/api/flavors', { as: member });
  });

  it('refuse input that no flavor can have, before any call', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const right = { name: 'f', vcpus: 1, ram: 64, disk: 0 };
    for (const [field, body] of [
      ['name', { ...right, name: undefined }],
      ['vcpus', { ...right, vcpus: 0 }],
      ['vcpus', { ...right, vcpus: '1' }],
      ['ram', { ...right, ram: 0.5 }],
      ['disk', { ...right, disk: -1 }],
      ['disk', { ...right, disk: 2 ** 31 }],
      ['is_public', { ...right, is_public: 1 }],
    ] as const) {
      const answer = await api.post<ErrorBody>(FLAVORS, { as: admin, body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [400, `body.${field}`]);
    }
    for (const body of [{}, { key: 'a/b', value: '' }, { key: 'a' }, { key: 'a', value: 1 }]) {
      assert.equal((await api.post(`${path}/extra-specs`, { as: admin, body })).status, 400);
    }
  });
});

describe('/api/admin/flavors/{flavor_id}/access', () => {
  const suite = apiSuite();

  it('names the projects, also one that does not exist any more', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const gone = { flavor_id: recorded.id, tenant_id: 'gone' };
    suite.cloud
      .reply('compute/flavor', { path: upstreamPath, body: { flavor: recorded } })
      .reply('compute/flavor-access', {
        body: { flavor_access: [{ ...gone, tenant_id: projectId }, gone] },
      })
      .reply('identity/projects', { body: { projects: [project] } });

    const { body } = await api.get(`${path}/access`, { as: admin });

    assert.deepEqual(body, [
      { flavor_id: recorded.id, project_id: projectId, project_name: 'tenant' },
      { flavor_id: recorded.id, project_id: 'gone', project_name: '' },
    ]);
  });

  it('has no names of projects while the identity service fails', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const granted = { flavor_id: recorded.id, tenant_id: projectId };
    suite.cloud
      .reply('compute/flavor', { path: upstreamPath, body: { flavor: recorded } })
      .reply('compute/flavor-access', { body: { flavor_access: [granted] } })
      .reply('identity/projects', { status: 500, body: {} });

    const { body } = await api.get(`${path}/access`, { as: admin });

    assert.deepEqual(body, [{ flavor_id: recorded.id, project_id: projectId, project_name: '' }]);
  });

  it('is found by an id with blanks, which no other resource has', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const flavor = { ...recorded, id: 'm1 tiny', 'os-flavor-access:is_public': true };
    suite.cloud.reply('compute/flavor', { path: '/v2.1/flavors/m1%20tiny', body: { flavor } });

    const { body, status } = await api.get(`${FLAVORS}/m1%20tiny/access`, { as: admin });
    const volume = await api.get('/api/volumes/m1%20tiny', { as: admin });

    assert.deepEqual([status, body], [200, []]);
    assert.equal(volume.status, 400);
  });

  it('is empty for a public flavor, and 404 for an unknown one', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const flavor = { ...recorded, 'os-flavor-access:is_public': true };
    suite.cloud
      .reply('compute/flavor', { path: upstreamPath, body: { flavor } })
      .reply('compute/flavor-not-found', { path: '/v2.1/flavors/unknown' });

    assert.deepEqual((await api.get(`${path}/access`, { as: admin })).body, []);
    assert.equal((await api.get(`${FLAVORS}/unknown/access`, { as: admin })).status, 404);
  });

  it('grants access to a project, once, and withdraws it', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const body = { project_id: projectId };
    const projectPath = `/v3/projects/${projectId}`;
    suite.cloud
      .reply('identity/project', { path: projectPath, body: { project }, times: 2 })
      .reply('compute/flavor-access-add', { requestBody: { addTenantAccess: { tenant: projectId } } });

    const added = await api.post(`${path}/access`, { as: admin, body });
    suite.cloud.reply('compute/flavor-access-exists');
    const again = await api.post<ErrorBody>(`${path}/access`, { as: admin, body });
    suite.cloud.reply('compute/flavor-access-remove', {
      requestBody: { removeTenantAccess: { tenant: projectId } },
    });
    const removed = await api.request('DELETE', `${path}/access/${projectId}`, { as: admin });
    suite.cloud.reply('compute/flavor-access-missing');
    const gone = await api.request('DELETE', `${path}/access/${projectId}`, { as: admin });

    assert.deepEqual(
      [added.status, added.body],
      [201, { flavor_id: recorded.id, project_id: projectId, project_name: 'tenant' }],
    );
    assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
    assert.deepEqual([removed.status, gone.status], [204, 404]);
  });

  it('is 404 for an unknown project, without calling the compute service', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    suite.cloud.reply('identity/user-forbidden', {
      path: '/v3/projects/unknown',
      status: 404,
      body: { error: { code: 404, message: 'Could not find project: unknown.', title: 'Not Found' } },
    });

    const answer = await api.post(`${path}/access`, { as: admin, body: { project_id: 'unknown' } });

    assert.equal(answer.status, 404);
  });
});

describe('/api/admin/flavors/{flavor_id}/extra-specs', () => {
  const suite = apiSuite();

  it('sets one, and removes one by its encoded key', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const body = { key: 'pci_passthrough:alias', value: 'a100:2' };
    suite.cloud
      .reply('identity/projects', { times: 4 })
      .reply('compute/flavor-extra-specs', {
        path: `${upstreamPath}/os-extra_specs`,
        requestBody: { extra_specs: { [body.key]: body.value } },
        body: { extra_specs: { [body.key]: body.value } },
      })
      .reply('compute/flavor-extra-spec-remove')
      .reply('compute/flavor-extra-spec-missing');

    const set = await api.post(`${path}/extra-specs`, { as: admin, body });
    const removed = await api.request('DELETE', `${path}/extra-specs/pci_passthrough%3Aalias`, { as: admin });
    const missing = await api.request('DELETE', `${path}/extra-specs/missing`, { as: admin });
    const impossible = await api.request('DELETE', `${path}/extra-specs/a%2Fb`, { as: admin });

    assert.deepEqual([set.status, set.body], [200, body]);
    assert.deepEqual([removed.status, missing.status, impossible.status], [204, 404, 404]);
    assert.ok(fixture('compute/flavor-extra-spec-remove').request.path.startsWith(upstreamPath));
  });
});
