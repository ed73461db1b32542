import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { freshKeyPrefix, testRedisUrl } from '../support/redis/test-redis.ts';
import { AdminStack } from '../support/stacks/admin-stack.ts';
import { Snapshots } from '../support/subjects/snapshots.ts';

type Row = { resource_type: string; timestamp: string } & Record<string, unknown>;

const HOUR_MS = 3_600_000;
const FIELDS = {
  instances: ['total', 'active', 'shutoff', 'error', 'other'],
  volumes: ['total', 'available', 'in_use', 'error', 'other', 'total_gb'],
  file_storage: ['total', 'total_gb'],
  networks: ['networks', 'routers', 'floating_ips_total', 'floating_ips_used'],
};

const path = (type: string, query = '') => `/api/admin/timeseries/${type}${query}`;

describe('the time series of the cloud', function () {
  this.timeout(180_000);
  let suite: AdminStack;
  let snapshots: Snapshots;

  before(async () => {
    const key_prefix = freshKeyPrefix('time-series');
    suite = await AdminStack.start({
      workers: 2,
      config: { redis: { key_prefix }, jobs: { sweep_seconds: 1 } },
    });
    snapshots = new Snapshots(testRedisUrl(), key_prefix, () => suite.admin);
  });

  after(async () => {
    await snapshots?.close();
    await suite?.stop();
  });

  it('have one snapshot of this hour, with two workers', async () => {
    for (const [type, fields] of Object.entries(FIELDS)) {
      const rows = await eventually(async () => {
        const found = await suite.read<Row[]>(path(type));
        return found.length > 0 ? found : undefined;
      }, 60_000);
      // A new hour may begin during the test.
      assert.ok(rows.length <= 2);
      assert.equal(new Set(rows.map(({ timestamp }) => timestamp)).size, rows.length);
      for (const row of rows) assert.deepEqual(Object.keys(row), ['resource_type', 'timestamp', ...fields]);
      assert.match(rows[0]?.timestamp ?? '', /:00:00Z$/);
    }
  });

  it('have the requested range, oldest first, with gaps without snapshots', async () => {
    const now = Date.now();
    const current = now - (now % HOUR_MS);
    const ages = [5, 23, 26, 49, 100, 200, 700];
    for (const age of ages) {
      await snapshots.start(current - age * HOUR_MS, `req-${crypto.randomUUID()}`, suite.admin.projectId);
    }
    // Twice the same hour.
    await snapshots.start(current - 5 * HOUR_MS, `req-${crypto.randomUUID()}`, suite.admin.projectId);
    const agesIn = async (query: string) =>
      (await suite.read<Row[]>(path('volumes', query)))
        .map(({ timestamp }) => Math.round((current - Date.parse(timestamp)) / HOUR_MS))
        .filter((age) => age > 1);
    await eventually(async () => (await agesIn('?range=30d')).length >= ages.length, 60_000);

    const oldestFirst = ages.toReversed();
    assert.deepEqual(await agesIn('?range=30d'), oldestFirst);
    assert.deepEqual(await agesIn('?range=1d'), [23, 5]);
    assert.deepEqual(await agesIn('?range=2d'), [26, 23, 5]);
    assert.deepEqual(await agesIn('?range=7d'), [100, 49, 26, 23, 5]);
    assert.deepEqual(await agesIn(''), [100, 49, 26, 23, 5]);
  });
});
