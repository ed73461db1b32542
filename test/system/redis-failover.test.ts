import assert from 'node:assert/strict';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { Creations } from '../support/load/creations.ts';
import { type RedisPair, startRedisPair } from '../support/redis/redis-pair.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const CREATIONS = 4;

describe('a gateway on a pair of Redis servers that Sentinels watch', function () {
  this.timeout(120_000);
  let pair: RedisPair;
  let stack: Stack;
  let gateway: GatewayClient;
  let creations: Creations;

  before(async () => {
    pair = await startRedisPair();
    stack = await startTestStack({
      identityUrl: undefined,
      cloudsim: true,
      workers: 2,
      redisUrl: 'redis://by.sentinels',
      config: {
        redis: { sentinels: pair.sentinels, sentinel_name: pair.name, wait_for_replicas: 1 },
        jobs: { lock_seconds: 5 },
      },
    });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    creations = await Creations.prepare(gateway, new CloudsimControl(stack.cloudsim?.url ?? ''));
  });

  after(async () => {
    await stack?.stop();
    await pair?.stop();
  });

  it('completes each creation once, although the primary is killed', async () => {
    for (let started = 0; started < CREATIONS; started += 1) await creations.start();
    await creations.waitUntilStarted(3);

    await pair.primary.kill('SIGKILL');
    await creations.start();

    await creations.assertCompleted();
    assert.equal((await gateway.request('GET', '/api/auth/session-info')).status, 200, 'the session goes on');
    await eventually(async () => {
      const { status, text } = await gateway.request('GET', '/api/health?ready=true');
      assert.equal(status, 200, text);
      return true;
    });
    await creations.remove();
  });

  it('logs once that the promoted server has no replica to acknowledge writes', async () => {
    const lines = stack.workers
      .flatMap((worker) => worker.logs())
      .filter((line) => line.includes('do not acknowledge'));
    assert.ok(lines.length >= 1 && lines.length <= stack.workers.length, lines.join('\n'));
  });
});
