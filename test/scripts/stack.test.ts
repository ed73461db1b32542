import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { freePort } from '../../scripts/free-port.ts';
import { type Stack, startStack } from '../../scripts/stack.ts';
import { testRedisUrl } from '../support/redis.ts';

/** An identity service that nobody asks anything: the gateway starts without it. */
const identityUrl = 'http://127.0.0.1:9/v3';

describe('startStack', () => {
  let stack: Stack | undefined;

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
  });

  it('brings up as many apis and workers as asked for, each answering', async function () {
    this.timeout(60_000);

    stack = await startStack({ apis: 1, workers: 2, identityUrl, redisUrl: testRedisUrl() });

    assert.deepEqual([stack.apis.length, stack.workers.length], [1, 2]);
    for (const worker of stack.workers) assert.equal((await fetch(`${worker.url}/health`)).status, 200);
    assert.equal((await fetch(`${stack.url}/api/health`)).status, 200);
  });

  it('names the port that is in use and the variable that moves it', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');

    const start = startStack({ workers: 0, identityUrl, redisUrl: testRedisUrl(), ports: { api: port } });

    await assert.rejects(start, { message: `port ${port} is in use: the api needs another one, set PORT` });
    other.close();
  });

  it('passes on what a process says about its configuration', async function () {
    this.timeout(60_000);

    const start = startStack({ workers: 0, identityUrl, redisUrl: testRedisUrl(), config: { sit: {} } });

    await assert.rejects(start, { message: /api did not start \(exit code 78\):\n.*"sit"/s });
  });
});
