import assert from 'node:assert/strict';
import type { Flavor, Instance } from '@gateway/views';
import { newCaller } from '../../support/api/factories.ts';
import { apiSuite } from '../../support/api/suite.ts';
import { fixtureBody } from '../../support/doubles/upstream.ts';

type Row = Record<string, unknown> & { id: string };

const servers = fixtureBody<Row[]>('compute/servers', 'servers');
const flavors = fixtureBody<Row[]>('compute/flavors', 'flavors');

function without(row: Row, ...fields: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !fields.includes(name))) as Row;
}

describe('a list with odd rows', () => {
  const suite = apiSuite();

  function readable(rows: unknown[], listed: unknown[] = flavors): void {
    suite.cloud
      .reply('compute/servers', { body: { servers: rows } })
      .reply('block-storage/volumes')
      .reply('compute/flavors', { body: { flavors: listed } })
      .reply('image/images');
  }

  it('shows flavors whose extra specs a policy hides', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', {
      body: { flavors: flavors.map((flavor) => without(flavor, 'extra_specs')) },
    });

    const { body, headers, status } = await api.get<Flavor[]>('/api/flavors', { as: caller });

    assert.equal(status, 200);
    assert.equal(headers['x-incomplete'], undefined);
    assert.deepEqual(
      body.map(({ id, extra_specs, gpu_count, is_gpu }) => ({ id, extra_specs, gpu_count, is_gpu })),
      flavors.map(({ id }) => ({ id, extra_specs: {}, gpu_count: 0, is_gpu: false })),
    );
  });

  for (const field of [
    'image',
    'metadata',
    'addresses',
    'flavor',
    'os-extended-volumes:volumes_attached',
    'security_groups',
    'status',
  ]) {
    it(`shows all instances if one has no ${field}`, async () => {
      const api = await suite.start();
      const [plain, ...others] = servers as [Row, ...Row[]];
      const odd = [
        { ...plain, id: 'odd-1', [field]: null },
        { ...without(plain, field), id: 'odd-2' },
      ];
      readable([...odd, plain, ...others]);

      const { body, headers, status } = await api.get<Instance[]>('/api/instances', {
        as: suite.cloud.validCaller(newCaller()),
      });

      assert.equal(status, 200);
      assert.equal(headers['x-incomplete'], undefined);
      assert.deepEqual(
        body.map(({ id }) => id),
        ['odd-1', 'odd-2', ...servers.map(({ id }) => id)],
      );
      if (field !== 'image') return;
      for (const row of body.slice(0, 2)) assert.deepEqual([row.image_id, row.image_name], [null, null]);
    });
  }

  it('says that it lacks a row, also from the cache', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    const [plain] = servers as [Row];
    readable([...servers, { ...plain, id: null }]);

    for (const query of ['', '', '?limit=1', '?refresh=true']) {
      if (query === '?refresh=true') {
        suite.cloud.reply('compute/servers').reply('block-storage/volumes');
      }
      const { body, headers } = await api.get<Instance[]>(`/api/instances${query}`, { as: caller });
      assert.equal(headers['x-incomplete'], query === '?refresh=true' ? undefined : 'true', query);
      assert.equal(body.length, query === '?limit=1' ? 1 : servers.length);
    }
  });

  it('says so if it shows rows of another list that lacks one', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', { body: { flavors: [...flavors, {}] } });
    const first = await api.get('/api/flavors', { as: caller });
    suite.cloud.reply('compute/servers').reply('block-storage/volumes').reply('image/images');

    const instances = await api.get('/api/instances', { as: caller });

    assert.deepEqual(
      [first, instances].map(({ headers }) => headers['x-incomplete']),
      ['true', 'true'],
    );
  });

  it('is counted', async () => {
    const api = await suite.start();
    const caller = suite.cloud.validCaller(newCaller());
    suite.cloud.reply('compute/flavors', { body: { flavors: [...flavors, {}] } });

    await api.get('/api/flavors', { as: caller });

    const { metrics } = api.context;
    await metrics.metricsText();
    const { body } = await metrics.metricsText();
    assert.match(body, /^gateway_odd_records_total\{.*service="compute",record="flavor".*\} 1$/m);
  });
});
