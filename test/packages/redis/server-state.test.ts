import assert from 'node:assert/strict';
import { openRedis, type RedisConnections, readServerStates, waitUntilReady } from '@gateway/redis';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../../support/eventually.ts';

describe('the state of Redis', () => {
  let server: RunningRedis;
  let redis: RedisConnections;

  before(async () => {
    server = await startRedis();
  });
  beforeEach(async () => {
    redis = openRedis({ url: server.url, cacheUrl: server.url, keyPrefix: 'state:' }, 'wait');
    await waitUntilReady(redis.store, 5_000);
  });
  afterEach(() => redis.close());
  after(() => server?.stop());

  async function setLimit(bytes: number): Promise<void> {
    const client = new Redis(server.url);
    await client.config('SET', 'maxmemory', bytes);
    client.disconnect();
  }

  it('includes the used memory, and the limit if there is one', async () => {
    const { store, ...others } = await readServerStates(redis);

    assert.deepEqual(others, {});
    assert.equal(store?.isUp, true);
    assert.ok((store?.memory?.usedBytes ?? 0) > 100_000);
    assert.equal(store?.memory?.limitBytes, null);

    await setLimit(64 * 1024 * 1024);
    assert.equal((await readServerStates(redis)).store?.memory?.limitBytes, 64 * 1024 * 1024);
  });

  it('includes the cache if it has a server of its own', async () => {
    const two = openRedis({ url: server.url, cacheUrl: 'redis://127.0.0.1:1', keyPrefix: '' }, 'wait');
    try {
      await waitUntilReady(two.store, 5_000);

      const { store, cache } = await readServerStates(two);

      assert.equal(store?.isUp, true);
      assert.deepEqual(cache, { isUp: false, memory: null });
    } finally {
      await two.close();
    }
  });

  it('is known while the server hangs or is gone', async () => {
    await server.kill('SIGSTOP');
    assert.deepEqual(await readServerStates(redis), { store: { isUp: false, memory: null } });

    await server.kill('SIGKILL');
    await eventually(async () => redis.store.status !== 'ready' || undefined);
    assert.deepEqual(await readServerStates(redis), { store: { isUp: false, memory: null } });

    await server.restart();
    await eventually(async () => (await readServerStates(redis)).store?.isUp || undefined);
  });
});
