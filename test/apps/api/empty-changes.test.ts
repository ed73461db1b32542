import assert from 'node:assert/strict';
import { endpoints } from '../../../apps/api/src/routes/index.ts';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const user = fixtureBody<{ id: string; name: string }>('identity/user', 'user');
const project = fixtureBody<{ id: string; name: string }>('identity/project', 'project');
const group = { id: 'group-1', name: 'ops', description: '', domain_id: 'default' };
const domain = { id: 'domain-1', name: 'Physics', description: null, enabled: true };

describe('a change without fields', () => {
  const suite = apiSuite();

  it('is accepted by every PATCH whose fields are optional in the contract', () => {
    const refusing = endpoints
      .filter(({ method, body }) => method === 'PATCH' && body?.validate({}).error !== undefined)
      .map(({ path }) => path);

    // The contract requires the number of agents.
    assert.deepEqual(refusing, ['/api/lite/clusters/:cluster_id/scale']);
  });

  for (const [path, call, record] of [
    ['users', `users/${user.id}`, { user }],
    ['projects', `projects/${project.id}`, { project }],
    ['groups', `groups/${group.id}`, { group }],
    ['domains', `domains/${domain.id}`, { domain }],
  ] as const) {
    it(`reads and returns the row: ${path}`, async () => {
      const api = await suite.start();
      const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
      suite.cloud.reply('identity/user', { path: `/v3/${call}`, body: record });

      const { body, status } = await api.request<{ id: string; name: string }>(
        'PATCH',
        `/api/admin/${call}`,
        { as: admin, body: {} },
      );

      const [{ id, name }] = Object.values(record) as [{ id: string; name: string }];
      assert.deepEqual([status, body.id, body.name], [200, id, name]);
      assert.equal(suite.cloud.calls().filter((one) => !one.startsWith('GET')).length, 0);
    });
  }

  it('is 404 for what does not exist: users', async () => {
    const api = await suite.start();
    const admin = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const error = { code: 404, title: 'Not Found', message: 'Could not find user: gone.' };
    suite.cloud.reply('identity/user', { path: '/v3/users/gone', status: 404, body: { error } });

    const { status } = await api.request<ErrorBody>('PATCH', '/api/admin/users/gone', {
      as: admin,
      body: {},
    });

    assert.equal(status, 404);
  });

  it('starts no job for quotas, and is 404 for an unknown project', async () => {
    const api = await suite.start();
    const as = suite.cloud.validCaller(newCaller({ roles: ['admin'] }));
    const error = { code: 404, title: 'Not Found', message: 'Could not find project: gone.' };
    suite.cloud
      .reply('identity/project', { path: `/v3/projects/${project.id}` })
      .reply('identity/project', { path: '/v3/projects/gone', status: 404, body: { error } });

    const known = await api.request('PUT', `/api/admin/quotas/${project.id}`, { as, body: {} });
    const unknown = await api.request('PUT', '/api/admin/quotas/gone', { as, body: {} });

    assert.deepEqual([known.status, known.body, unknown.status], [200, { status: 'updated' }, 404]);
  });
});
