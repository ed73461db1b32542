import assert from 'node:assert/strict';
import { freePort } from '../../scripts/free-port.ts';
import { startRedis } from '../../scripts/redis.ts';
import type { Stack } from '../../scripts/stack.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { createVolume, mostConcurrentCalls, OutageReaders } from '../support/load/outage-readers.ts';
import { simulatedCloud, startTestStack, testLogin } from '../support/stacks/test-stack.ts';

const APIS = 2;
const BOUND = 2;
const READERS = 80;

describe('an outage of Redis', function () {
  this.timeout(300_000);
  let stack: Stack;

  before(async () => {
    stack = await startTestStack({
      ...simulatedCloud,
      ownRedis: true,
      apis: APIS,
      workers: 0,
      config: {
        upstream: { max_concurrent_calls: BOUND },
        time_limits: { upstream_queue_seconds: 120 },
        // Lists from before the outage would otherwise be served for long after it.
        cache: { volumes_seconds: 3600 },
      },
    });
  });

  after(() => stack?.stop());

  it('keeps valid tokens, bounds calls, and leaves no outdated list', async () => {
    const gateway = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const apis = stack.apis.map(({ url }) => gateway.at(url));
    for (const api of apis) await api.read('/api/volumes');
    const readers = await OutageReaders.logIn(stack, { readers: READERS, everyMs: 100 });
    const cloudsim = stack.cloudsim?.url ?? '';
    await new CloudsimControl(cloudsim).clearCalls();

    await stack.redis?.kill('SIGKILL');
    readers.start();
    await eventually(async () => readers.requests >= 3 * READERS, 120_000);
    const isShown = await createVolume(gateway);
    await stack.redis?.restart();
    for (const { url } of stack.apis) {
      await eventually(async () => {
        const { redis } = (await (await fetch(`${url}/api/health`)).json()) as { redis: string };
        return redis === 'ok';
      });
    }
    const isCurrent = await Promise.all(apis.map(isShown));
    await readers.stop();

    assert.deepEqual(readers.take().failures, {});
    assert.deepEqual(isCurrent, [true, true]);
    for (const [service, calls] of await mostConcurrentCalls(cloudsim)) {
      assert.ok(calls <= APIS * BOUND, `${calls} calls to ${service} at once`);
    }
  });

  it('keeps a worker unready until its first connection, and stops it without', async () => {
    const port = await freePort();
    const worker = await stack.addWorker({ REDIS_URL: `redis://127.0.0.1:${port}` });
    const statuses = async () =>
      Promise.all(
        ['/health', '/health?ready=true'].map(async (path) => (await fetch(worker.url + path)).status),
      );
    const before = await statuses();
    const redis = await startRedis({ port });
    await eventually(async () => (await statuses())[1] === 200);
    await redis.stop();
    const after = await eventually(async () => {
      const { redis: state } = (await (await fetch(`${worker.url}/health`)).json()) as { redis: string };
      return state === 'unavailable' ? statuses() : undefined;
    });

    assert.deepEqual(
      [before, after],
      [
        [200, 503],
        [200, 200],
      ],
    );

    process.kill(worker.pid ?? 0, 'SIGTERM');
    assert.match(await worker.exitedUnexpectedly, /exit code 0/);
  });

  it('lets a worker stop that has never reached Redis', async () => {
    const worker = await stack.addWorker({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });

    process.kill(worker.pid ?? 0, 'SIGTERM');

    assert.match(await worker.exitedUnexpectedly, /exit code 0/);
  });
});
