import assert from 'node:assert/strict';
import {
  isRedisAway,
  openRedis,
  type RedisConnections,
  type RedisPatience,
  waitUntilReady,
} from '@gateway/redis';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../../support/eventually.ts';
import { askRedis } from '../../support/redis-commands.ts';

describe('a confirmed write', () => {
  let primary: RunningRedis;
  let replica: RunningRedis;
  const opened: RedisConnections[] = [];
  const told: string[] = [];

  before(async () => {
    primary = await startRedis();
    replica = await startRedis({
      settings: { replicaof: `127.0.0.1 ${primary.port}`, 'repl-diskless-sync-delay': 0 },
    });
    await eventually(async () => ((await roleOf(replica))[3] === 'connected' ? true : undefined));
  });

  after(async () => {
    await replica?.stop();
    await primary?.stop();
  });

  afterEach(async () => {
    await replica.kill('SIGCONT');
    for (const redis of opened.splice(0)) await redis.close();
    told.length = 0;
  });

  async function open(
    replicasToConfirm: number,
    patience: RedisPatience = 'wait',
  ): Promise<RedisConnections> {
    const { url } = primary;
    const redis = openRedis({ url, cacheUrl: url, keyPrefix: 'p:', replicasToConfirm }, patience, {
      onUnconfirmed: () => told.push('unconfirmed'),
      onConfirmed: () => told.push('confirmed'),
    });
    opened.push(redis);
    await waitUntilReady(redis.store, 5_000);
    return redis;
  }

  it('gives what the write gave, which the replica has by then', async () => {
    const { store, confirmed } = await open(1);

    for (let count = 1; count <= 20; count += 1) {
      assert.equal(await confirmed(store, 'counted', (write) => write.incr('counted')), count);
      assert.equal(await askRedis(replica.port, (redis) => redis.get('p:counted')), String(count));
    }
    assert.deepEqual(told, []);
  });

  it('counts though the replica is away, and tells of that once, and of its return', async () => {
    const { store, confirmed } = await open(1);
    await replica.kill('SIGSTOP');

    assert.equal(await confirmed(store, 'a', (write) => write.set('a', '1')), 'OK');
    assert.equal(await confirmed(store, 'a', (write) => write.set('a', '2')), 'OK');
    assert.deepEqual(told, ['unconfirmed']);

    await replica.kill('SIGCONT');
    await eventually(async () => {
      await confirmed(store, 'a', (write) => write.set('a', '3'));
      return told.length > 1 ? true : undefined;
    });
    assert.deepEqual(told, ['unconfirmed', 'confirmed']);
  });

  it('waits for no replica unless it is told to', async () => {
    const { store, confirmed } = await open(0);
    await replica.kill('SIGSTOP');

    assert.equal(await confirmed(store, 'a', (write) => write.set('a', '1')), 'OK');

    assert.deepEqual(told, []);
  });

  it('fails as the write does', async () => {
    const { store, confirmed } = await open(1);
    await store.set('text', 'abc');

    await assert.rejects(
      confirmed(store, 'text', (write) => write.incr('text')),
      /not an integer/,
    );
  });

  it('is made again when the connection breaks before the replica has confirmed', async () => {
    const { store, confirmed } = await open(1);
    await replica.kill('SIGSTOP');

    const made = confirmed(store, 'again', (write) => write.incr('again'));
    await cutOnceMade('p:again');

    assert.equal(await made, 2);
  });

  it('fails in that case where nobody may be kept waiting', async () => {
    const { store, confirmed } = await open(1, 'fail-fast');
    await replica.kill('SIGSTOP');

    const made = assert.rejects(
      confirmed(store, 'not-again', (write) => write.incr('not-again')),
      isRedisAway,
    );
    await cutOnceMade('p:not-again');

    await made;
  });

  /** Ends all connections but that of the replica, as soon as the write is there. */
  async function cutOnceMade(key: string): Promise<void> {
    await askRedis(primary.port, async (redis) => {
      while ((await redis.exists(key)) === 0);
      await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    });
  }

  function roleOf({ port }: RunningRedis): Promise<unknown[]> {
    return askRedis(port, (redis) => redis.role());
  }
});
