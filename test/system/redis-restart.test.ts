import assert from 'node:assert/strict';
import type { ServerProcess } from '../../scripts/server-process.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { Creations } from '../support/load/creations.ts';
import { startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const CREATIONS = 4;

describe('a Redis that is killed and restarted', function () {
  this.timeout(120_000);
  let stack: Stack;
  let gateway: GatewayClient;
  let creations: Creations;

  before(async () => {
    stack = await startTestStack({
      identityUrl: undefined,
      cloudsim: true,
      workers: 2,
      ownRedis: true,
      config: { jobs: { lock_seconds: 5 } },
    });
    gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    creations = await Creations.prepare(gateway, new CloudsimControl(stack.cloudsim?.url ?? ''));
  });

  after(() => stack?.stop());

  it('loses nothing: each creation completes once, and streams resume', async () => {
    for (let started = 0; started < CREATIONS; started += 1) await creations.start();
    await creations.waitUntilStarted(3);

    await stack.redis?.kill('SIGKILL');
    assert.equal((await gateway.request('GET', '/api/jobs')).status, 503);
    assert.equal((await gateway.request('GET', '/api/instances')).status, 200, 'answered by the cloud');
    await eventually(async () => stack.workers.every(hasSeenItGo));
    await stack.redis?.restart();
    await creations.start();

    await creations.assertCompleted();
    await creations.remove();
  });
});

function hasSeenItGo(worker: ServerProcess): boolean {
  return worker.logs().some((line) => line.includes('Redis is unavailable'));
}
