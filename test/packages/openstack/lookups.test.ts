import assert from 'node:assert/strict';
import nock from 'nock';
import { mockUpstream, type Upstream } from '../../support/doubles/upstream.ts';
import { call, recordedIdentity, testCloud } from './cloud.ts';

describe('look-ups', () => {
  const { endpoints, projectId } = recordedIdentity();
  let queries: string[];
  let upstream: Upstream;

  beforeEach(() => {
    upstream = mockUpstream();
    queries = [];
  });
  afterEach(() => upstream.close());

  /** Answers all lists of a service with these records, and notes the values of one filter. */
  function answer(service: 'compute' | 'network', list: RegExp, filter: string, body: object): void {
    const { origin } = new URL(endpoints[service] ?? '');
    nock(origin)
      .get(list)
      .reply(200, ({ url }: Request) => {
        queries.push(new URL(url).searchParams.getAll(filter).join(' '));
        return body;
      })
      .persist();
  }

  it('of one property at the same time share a call', async () => {
    const ports = ['a', 'b', 'c'].map((device_id) => ({ id: `port-${device_id}`, device_id }));
    answer('network', /\/ports\?/, 'device_id', { ports });
    const { mine } = testCloud();

    const found = await Promise.all(
      ['a', 'b', 'c', 'b', 'none'].map((device) => mine().lookups.ports('device_id', device)),
    );

    assert.deepEqual(
      found.map((rows) => rows.map(({ id }) => id)),
      [['port-a'], ['port-b'], ['port-c'], ['port-b'], []],
    );
    assert.deepEqual(queries, ['a b c none']);
  });

  it('of users with other rights have calls of their own', async () => {
    answer('network', /\/floatingips\?/, 'project_id', { floatingips: [] });
    const { openstack } = testCloud();
    const users = [
      { userId: 'u1' },
      { userId: 'u2' },
      { userId: 'u2', roles: ['auditor'] },
      { userId: 'u2 auditor', roles: [] },
    ];

    await Promise.all(
      users.map((user) =>
        openstack.as({ ...recordedIdentity(), ...user }, call).lookups.floatingIps(projectId),
      ),
    );

    assert.equal(queries.length, 4);
  });

  it('of servers compare the whole name', async () => {
    const servers = ['web', 'web.1', 'webX1'].map((name) => ({ id: `id-${name}`, name }));
    answer('compute', /\/servers\?/, 'name', { servers });
    const { mine } = testCloud();

    const found = await Promise.all(['web', 'web.1'].map((name) => mine().lookups.serverIds(name)));

    assert.deepEqual(found, [['id-web'], ['id-web.1']]);
    assert.deepEqual(queries, ['^web$|^web\\.1$']);
  });

  it('with many values are split into several calls', async () => {
    answer('network', /\/ports\?/, 'description', { ports: [] });
    const { mine } = testCloud();
    const values = Array.from({ length: 90 }, (_, index) => `${index} ${'x'.repeat(96)}`);

    await Promise.all(values.map((value) => mine().lookups.ports('description', value)));

    assert.equal(queries.length, 3);
    assert.deepEqual(queries.join(' ').match(/\d+ x+/g), values);
  });

  it('of floating IPs list the project once', async () => {
    const floatingips = [{ id: 'fip-1', project_id: projectId }];
    answer('network', /\/floatingips\?/, 'project_id', { floatingips });
    const { mine } = testCloud();

    const found = await Promise.all([1, 2, 3].map(() => mine().lookups.floatingIps(projectId)));

    assert.deepEqual(
      found.map((rows) => rows.map(({ id }) => id)),
      [['fip-1'], ['fip-1'], ['fip-1']],
    );
    assert.deepEqual(queries, [projectId]);
  });
});
