import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { freePort } from '../../scripts/free-port.ts';
import { type Stack, startStack } from '../../scripts/stack.ts';
import { testRedisUrl } from '../support/redis/test-redis.ts';

/** An identity service that is never called: the gateway starts without one. */
const identityUrl = 'http://127.0.0.1:9/v3';

describe('startStack', () => {
  let stack: Stack | undefined;

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  it('starts the requested number of apis and workers, each answering', async function () {
    this.timeout(120_000);

    stack = await startStack({ apis: 1, workers: 2, identityUrl, redisUrl: testRedisUrl() });

    assert.deepEqual([stack.apis.length, stack.workers.length], [1, 2]);
    for (const worker of stack.workers) assert.equal((await fetch(`${worker.url}/health`)).status, 200);
    assert.equal((await fetch(`${stack.url}/api/health`)).status, 200);
  });

  it('throws if the port is in use, with its variable', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');

    const start = startStack({ workers: 0, identityUrl, redisUrl: testRedisUrl(), ports: { api: port } });

    await assert.rejects(start, { message: `port ${port} is in use: the api needs another one, set PORT` });
    other.close();
  });

  it('passes on the configuration error of a process', async function () {
    this.timeout(120_000);

    const start = startStack({ workers: 0, identityUrl, redisUrl: testRedisUrl(), config: { sit: {} } });

    await assert.rejects(start, { message: /api did not start \(exit code 78\):\n.*"sit"/s });
  });
});
