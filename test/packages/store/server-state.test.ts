import assert from 'node:assert/strict';
import { openRedis, type RedisConnections, readServerStates, waitUntilReady } from '@gateway/store';
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

  const gone = { isUp: false, refusals: null, memory: null };

  type State = Awaited<ReturnType<typeof readServerStates>>[string];

  const reasonsOf = (state: State | undefined) =>
    Object.entries(state?.refusals ?? {}).flatMap(([reason, isRefused]) => (isRefused ? [reason] : []));

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
      assert.deepEqual(cache, gone);
    } finally {
      await two.close();
    }
  });

  for (const [reason, refuse, accept] of [
    ['read_only', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
    ['memory', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['replicas', 'CONFIG SET min-replicas-to-write 1', 'CONFIG SET min-replicas-to-write 0'],
  ] as const) {
    it(`includes why the server refuses writes: ${reason}`, async () => {
      const call = async (command: string) => {
        const [name = '', ...words] = command.split(' ');
        const client = new Redis(server.url);
        await client.call(name, ...words);
        client.disconnect();
      };
      let closed = 0;
      redis.store.on('close', () => {
        closed += 1;
      });
      await call(refuse);
      try {
        const { store } = await readServerStates(redis);

        assert.deepEqual([store?.isUp, reasonsOf(store)], [false, [reason]]);
        assert.ok(store?.memory);
        assert.equal(closed, 0, 'the connection of the process is left alone');
      } finally {
        await call(accept);
      }
      const { store } = await readServerStates(redis);
      assert.deepEqual([store?.isUp, reasonsOf(store)], [true, []]);
    });
  }

  it('is known while the server hangs or is gone', async () => {
    await server.kill('SIGSTOP');
    assert.deepEqual(await readServerStates(redis), { store: gone });

    await server.kill('SIGKILL');
    await eventually(async () => redis.store.status !== 'ready');
    assert.deepEqual(await readServerStates(redis), { store: gone });

    await server.restart();
    await eventually(async () => (await readServerStates(redis)).store?.isUp);
  });
});
