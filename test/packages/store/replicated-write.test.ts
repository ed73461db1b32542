import assert from 'node:assert/strict';
import {
  isRedisUnavailable,
  openRedis,
  type RedisConnections,
  type RedisRetryPolicy,
  replicatedWrite,
  waitUntilReady,
} from '@gateway/store';
import { type RunningRedis, startRedis } from '../../../scripts/redis.ts';
import { eventually } from '../../support/eventually.ts';
import { queryRedis } from '../../support/redis/query-redis.ts';

describe('a replicated write', () => {
  let primary: RunningRedis;
  let replica: RunningRedis;
  const opened: RedisConnections[] = [];
  const events: string[] = [];

  before(async () => {
    primary = await startRedis();
    replica = await startRedis({
      settings: { replicaof: `127.0.0.1 ${primary.port}`, 'repl-diskless-sync-delay': 0 },
    });
    await eventually(async () => (await roleOf(replica))[3] === 'connected');
    await eventually(() =>
      queryRedis(primary.port, async (redis) => (await redis.wait(1, 1_000)) || undefined),
    );
  });

  after(async () => {
    await replica?.stop();
    await primary?.stop();
  });

  afterEach(async () => {
    await replica.kill('SIGCONT');
    for (const redis of opened.splice(0)) await redis.close();
    events.length = 0;
  });

  async function open(
    waitForReplicas: number,
    retryPolicy: RedisRetryPolicy = 'wait',
  ): Promise<RedisConnections> {
    const { url } = primary;
    const redis = openRedis({ url, cacheUrl: url, keyPrefix: 'p:', waitForReplicas }, retryPolicy, {
      onUnacknowledged: () => events.push('unacknowledged'),
      onAcknowledged: () => events.push('acknowledged'),
    });
    opened.push(redis);
    await waitUntilReady(redis.store, 5_000);
    return redis;
  }

  it('returns the result of the write once the replica has it', async () => {
    const { store } = await open(1);

    let acknowledged = 0;
    for (let count = 1; count <= 20; count += 1) {
      assert.equal(await replicatedWrite(store, 'counted', (write) => write.incr('counted')), count);
      // On a busy machine the replica may exceed the time limit, which is reported.
      if (events.at(-1) === 'unacknowledged') continue;
      acknowledged += 1;
      assert.equal(await queryRedis(replica.port, (redis) => redis.get('p:counted')), String(count));
    }
    assert.notEqual(acknowledged, 0);
  });

  it('is valid without the replica, and reports outage and recovery once', async () => {
    const { store } = await open(1);
    await replica.kill('SIGSTOP');

    assert.equal(await replicatedWrite(store, 'a', (write) => write.set('a', '1')), 'OK');
    assert.equal(await replicatedWrite(store, 'a', (write) => write.set('a', '2')), 'OK');
    assert.deepEqual(events, ['unacknowledged']);

    await replica.kill('SIGCONT');
    await eventually(async () => {
      await replicatedWrite(store, 'a', (write) => write.set('a', '3'));
      return events.length > 1;
    });
    assert.deepEqual(events, ['unacknowledged', 'acknowledged']);
  });

  it('waits for no replica by default', async () => {
    const { store } = await open(0);
    await replica.kill('SIGSTOP');

    assert.equal(await replicatedWrite(store, 'a', (write) => write.set('a', '1')), 'OK');

    assert.deepEqual(events, []);
  });

  it('fails as the write does', async () => {
    const { store } = await open(1);
    await store.set('text', 'abc');

    await assert.rejects(
      replicatedWrite(store, 'text', (write) => write.incr('text')),
      /not an integer/,
    );
  });

  it('is sent again if the connection breaks before the acknowledgement', async () => {
    const { store } = await open(1);
    await replica.kill('SIGSTOP');

    const made = replicatedWrite(store, 'again', (write) => write.incr('again'));
    await cutOnceMade('p:again');

    assert.equal(await made, 2);
  });

  it('fails in that case with the policy fail-fast', async () => {
    const { store } = await open(1, 'fail-fast');
    await replica.kill('SIGSTOP');

    const made = assert.rejects(
      replicatedWrite(store, 'not-again', (write) => write.incr('not-again')),
      isRedisUnavailable,
    );
    await cutOnceMade('p:not-again');

    await made;
  });

  /** Closes all connections except the replica's as soon as the primary has the write. */
  async function cutOnceMade(key: string): Promise<void> {
    await queryRedis(primary.port, async (redis) => {
      while ((await redis.exists(key)) === 0);
      await redis.call('CLIENT', 'KILL', 'TYPE', 'normal');
    });
  }

  function roleOf({ port }: RunningRedis): Promise<unknown[]> {
    return queryRedis(port, (redis) => redis.role());
  }
});
