import assert from 'node:assert/strict';
import type { ServerUsage } from '@gateway/openstack';
import type { Usage } from '@gateway/resources';
import type { ErrorBody } from '../../support/api/client.ts';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

const [row] = fixtureBody<{ server_usages: ServerUsage[] }>('compute/usage', 'tenant_usage')
  .server_usages as [ServerUsage];

describe('GET /api/dashboard/usage', () => {
  const suite = apiSuite();
  const caller = newCaller();

  function pathOf(query: string): string {
    return `/v2.1/os-simple-tenant-usage/${caller.projectId}?${query}`;
  }

  function dayBefore(days: number): string {
    return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  }

  it('adds up all pages of the usage of the requested days', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    const period = 'start=2026-01-01T00%3A00%3A00.000&end=2026-01-03T00%3A00%3A00.000';
    const usages = [
      { ...row, instance_id: 'a', hours: 1, vcpus: 2, memory_mb: 512, local_gb: 10 },
      { ...row, instance_id: 'b', hours: 0.5, vcpus: 4, memory_mb: 1024, local_gb: 0 },
    ];
    suite.cloud
      .reply('compute/usage', {
        path: pathOf(period),
        body: {
          tenant_usage: { total_hours: 1, server_usages: usages.slice(0, 1) },
          tenant_usage_links: [{ rel: 'next', href: `http://any${pathOf(`${period}&marker=a`)}` }],
        },
      })
      .reply('compute/usage', {
        path: pathOf(`${period}&marker=a`),
        body: { tenant_usage: { total_hours: 0.5, server_usages: usages.slice(1) } },
      });

    const { status, body } = await api.get<Usage>('/api/dashboard/usage?start=2026-01-01&end=2026-01-02', {
      as: caller,
    });

    assert.equal(status, 200);
    const { server_usages, ...totals } = body;
    assert.deepEqual(totals, {
      start: '2026-01-01',
      end: '2026-01-02',
      total_hours: 1.5,
      total_vcpus_usage: 4,
      total_memory_mb_usage: 1024,
      total_local_gb_usage: 10,
    });
    assert.deepEqual(
      server_usages.map(({ instance_id }) => instance_id),
      ['a', 'b'],
    );
    assert.deepEqual(Object.keys(server_usages[0] ?? {}).sort(), [
      'hours',
      'instance_id',
      'local_gb',
      'memory_mb',
      'name',
      'state',
      'vcpus',
    ]);
  });

  it('covers the last 30 days by default, and the project without instances', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    const first = dayBefore(30);
    suite.cloud.reply('compute/usage', {
      path: new RegExp(`start=${first}T00%3A00%3A00\\.000&end=${dayBefore(0)}T`),
      body: { tenant_usage: {} },
    });

    const { body } = await api.get<Usage>('/api/dashboard/usage', { as: caller });

    assert.deepEqual(body, {
      start: first,
      end: dayBefore(0),
      total_hours: 0,
      total_vcpus_usage: 0,
      total_memory_mb_usage: 0,
      total_local_gb_usage: 0,
      server_usages: [],
    });
  });

  it('covers the 30 days before a given end', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);
    suite.cloud.reply('compute/usage', {
      path: pathOf('start=2026-01-02T00%3A00%3A00.000&end=2026-02-02T00%3A00%3A00.000'),
    });

    const { body } = await api.get<Usage>('/api/dashboard/usage?end=2026-02-01', { as: caller });

    assert.equal(body.start, '2026-01-02');
  });

  it('is zero for a future period, for which the service returns nothing', async () => {
    const api = await suite.start();
    suite.cloud.validCaller(caller);

    const { status, body } = await api.get<Usage>('/api/dashboard/usage?start=9999-12-30&end=9999-12-31', {
      as: caller,
    });

    assert.deepEqual([status, body.server_usages], [200, []]);
  });

  for (const [query, field, message] of [
    ['start=yesterday', 'query.start', /YYYY-MM-DD/],
    ['end=2026-1-1', 'query.end', /YYYY-MM-DD/],
    ['end=2026-01-01T00:00:00', 'query.end', /YYYY-MM-DD/],
    ['start=2026-02-30', 'query.start', /exists/],
    ['end=2026-13-01', 'query.end', /exists/],
    ['start=0000-01-01', 'query.start', /YYYY-MM-DD/],
    ['start=2026-01-02&end=2026-01-01', 'query.start', /after end/],
    ['start=9999-01-01', 'query.start', /after today/],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const api = await suite.start();
      suite.cloud.validCaller(caller);

      const { status, body } = await api.get<ErrorBody>(`/api/dashboard/usage?${query}`, { as: caller });

      assert.equal(status, 400);
      assert.equal(body.errors?.[0]?.field, field);
      assert.match(body.errors?.[0]?.message ?? '', message);
    });
  }
});
