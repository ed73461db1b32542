import assert from 'node:assert/strict';
import { countByHealth, HealthResults, unknownHealth } from '@gateway/lite';
import type { RedisConnections } from '@gateway/store';
import { connectRedis } from '../../support/redis/test-redis.ts';

const KEEP_SECONDS = 600;

describe('the stored results of health checks', () => {
  let redis: RedisConnections;
  let results: HealthResults;

  before(async () => {
    redis = await connectRedis();
    results = new HealthResults(redis.store, KEEP_SECONDS);
  });
  after(() => redis.close());

  const healthOf = (id: string) => unknownHealth({ id, name: `cluster ${id}`, reachability: 'fixed_ip' });

  it('are read one by one, and many at once', async () => {
    await results.put(healthOf('a'));
    await results.put(healthOf('b'));

    assert.deepEqual(await results.get('a'), healthOf('a'));
    assert.equal(await results.get('none'), null);
    const found = await results.getMany(['b', 'none', 'a']);
    assert.deepEqual(
      [...found],
      [
        ['b', healthOf('b')],
        ['a', healthOf('a')],
      ],
    );
    assert.equal((await results.getMany([])).size, 0);
  });

  it('are replaced by the next, and removed on request', async () => {
    await results.put(healthOf('c'));
    await results.put({ ...healthOf('c'), status: 'HEALTHY' });
    assert.equal((await results.get('c'))?.status, 'HEALTHY');

    await results.remove('c');
    assert.equal(await results.get('c'), null);
  });

  it('are counted by health; clusters without a result are unknown', async () => {
    await results.put({ ...healthOf('e'), status: 'HEALTHY' });
    await results.put({ ...healthOf('f'), status: 'UNREACHABLE' });

    const { byHealth } = await countByHealth({ openIds: async () => ['e', 'f', 'not checked'] }, results, 0);

    assert.deepEqual(byHealth, { HEALTHY: 1, DEGRADED: 0, UNHEALTHY: 0, UNREACHABLE: 1, UNKNOWN: 1 });
  });

  it('are counted when a certificate ends within 30 days, or has ended', async () => {
    const ends = { g: '2026-03-31T00:00:00Z', h: '2026-03-30T23:59:59Z', i: '2026-01-01T00:00:00Z', j: null };
    for (const [id, end] of Object.entries(ends)) {
      await results.put({ ...healthOf(id), certificate_expires_at: end });
    }

    const now = Date.parse('2026-03-01T00:00:00Z');
    const counts = await countByHealth({ openIds: async () => Object.keys(ends) }, results, now);

    assert.equal(counts.certificatesExpiring, 2);
    assert.equal(counts.certificateDaysLeft, -59);
  });

  it('have no days left without a known end', async () => {
    await results.put(healthOf('k'));

    const counts = await countByHealth({ openIds: async () => ['k', 'not checked'] }, results, 0);

    assert.equal(counts.certificateDaysLeft, null);
  });

  it('are kept for a limited time', async () => {
    await results.put(healthOf('d'));

    const ttl = await redis.store.ttl('{lite-health}:result:d');
    assert.ok(ttl > KEEP_SECONDS - 60 && ttl <= KEEP_SECONDS, `${ttl}`);
  });
});
