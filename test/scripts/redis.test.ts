import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../scripts/free-port.ts';
import { type RunningRedis, startRedis } from '../../scripts/redis.ts';

describe('startRedis', () => {
  const ofTests = process.env.TEST_REDIS_APPENDFSYNC;
  let redis: RunningRedis | undefined;

  afterEach(async () => {
    if (ofTests !== undefined) process.env.TEST_REDIS_APPENDFSYNC = ofTests;
    await redis?.stop();
    redis = undefined;
  });

  it('starts a server that evicts nothing and flushes every write', async () => {
    delete process.env.TEST_REDIS_APPENDFSYNC;
    redis = await startRedis();

    const client = new Redis(redis.url);
    const [, policy] = (await client.config('GET', 'maxmemory-policy')) as string[];
    const [, appendOnly] = (await client.config('GET', 'appendonly')) as string[];
    const [, flushes] = (await client.config('GET', 'appendfsync')) as string[];
    client.disconnect();

    assert.deepEqual(
      { policy, appendOnly, flushes },
      { policy: 'noeviction', appendOnly: 'yes', flushes: 'always' },
    );
  });

  it('keeps its data across a restart', async () => {
    redis = await startRedis();
    const client = new Redis(redis.url, { lazyConnect: true });
    client.on('error', () => {});
    await client.set('kept', 'yes');
    const pid = redis.pid;

    await redis.restart();

    assert.equal(await client.get('kept'), 'yes');
    assert.notEqual(redis.pid, pid);
    client.disconnect();
  });

  it('is gone after stop', async () => {
    redis = await startRedis();
    const { pid } = redis;

    await redis.stop();

    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('throws if another server uses the data, naming it', async function () {
    this.timeout(15_000);
    const dir = mkdtempSync(join(tmpdir(), 'redis-test-'));
    redis = await startRedis({ dir });

    await assert.rejects(startRedis({ dir }), { message: new RegExp(`in use by process ${redis.pid}`) });

    await redis.stop();
    rmSync(dir, { recursive: true });
  });

  it('throws if the port is in use, naming it', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');

    await assert.rejects(startRedis({ port }), { message: new RegExp(`port ${port} is in use`) });

    other.close();
  });
});
