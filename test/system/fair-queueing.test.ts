import assert from 'node:assert/strict';
import { newId } from '@gateway/core';
import { queuePrefix } from '@gateway/jobs';
import { Queue } from 'bullmq';
import type { Stack } from '../../scripts/stack.ts';
import type { CloudsimControl, Hold } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, type InstanceRequest, messagesOf } from '../support/clients/gateway-client.ts';
import type { EventStream } from '../support/clients/sse-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const REACHED_WITHIN_MS = 20_000;

describe('creations of two projects', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let stack: Stack;
  let control: CloudsimControl;
  let gateway: GatewayClient;
  let alice: GatewayClient;
  let request: InstanceRequest;

  let keyPrefix: string;

  async function start(concurrency?: number): Promise<void> {
    const jobs = concurrency === undefined ? {} : { concurrency: { provisioning: concurrency } };
    keyPrefix = `${newId()}:`;
    simulated = await SimulatedStack.start({ config: { jobs, redis: { key_prefix: keyPrefix } } });
    ({ stack, control, gateway, request } = simulated);
    alice = await GatewayClient.logIn(stack.url, testLogin('alice'));
  }

  afterEach(async () => {
    await simulated?.restore();
    await simulated?.stop();
  });

  /** Holds the first creations at the call for their first volume. */
  const holdFirst = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        control.hold('before', { operation: 'volumes.create', nth: index + 1 }),
      ),
    );

  /** A job of the same queue that ends by itself. */
  const failing = (client: GatewayClient, requestId?: string) =>
    client.startJob('/api/volumes/async', { name: 'v', size_gb: 1, snapshot_id: newId() }, requestId);

  async function assertHeld(holds: Hold[]): Promise<void> {
    for (const hold of holds) assert.equal(await hold.waitUntilReached(REACHED_WITHIN_MS), 'held');
  }

  async function completed(streams: EventStream[]): Promise<void> {
    for (const stream of streams) assert.equal((await messagesOf(stream)).at(-1)?.step, 'COMPLETED');
  }

  /** The number of demo's creations with this status. */
  const count = async (status: string) =>
    (await gateway.read<{ count: number }>(`/api/jobs?type=instance.create&status=${status}`)).count;

  it('are counted by the tools of BullMQ as by the api', async () => {
    await start(3);
    const holds = await holdFirst(2);
    const own = await Promise.all(Array.from({ length: 4 }, () => gateway.createInstance(request)));
    await assertHeld(holds);
    const last = (await messagesOf(await failing(alice))).at(-1);
    assert.equal(last?.step, 'FAILED');
    const queue = new Queue('provisioning', {
      connection: { url: stack.redisUrl },
      prefix: queuePrefix(keyPrefix, 'provisioning'),
    });
    try {
      // An entry of BullMQ ends a moment after the last event of its job.
      const become = (expected: object) =>
        eventually(async () => {
          const types = ['active', 'delayed', 'prioritized', 'completed', 'failed'] as const;
          assert.deepEqual(await queue.getJobCounts(...types), expected);
          return true;
        });

      await become({ active: 2, delayed: 2, prioritized: 0, completed: 0, failed: 1 });
      await control.clear();
      await completed(own);

      await become({ active: 0, delayed: 0, prioritized: 0, completed: 4, failed: 1 });
      assert.deepEqual([await count('completed'), await count('queued')], [4, 0]);
      const [failed] = await queue.getFailed();
      assert.equal(failed?.failedReason, last?.error);
      assert.deepEqual([failed?.data.payload, failed?.data.credentialHandle], [{}, null]);
    } finally {
      await queue.close();
    }
  });

  it('share the only worker, with one slot free for the other', async () => {
    await start();
    const holds = await holdFirst(10);
    const own = await Promise.all(Array.from({ length: 12 }, () => gateway.createInstance(request)));
    await assertHeld(holds.slice(0, 9));

    const others = (await messagesOf(await failing(alice))).at(-1);

    assert.equal(others?.step, 'FAILED');
    assert.deepEqual([await count('running'), await count('queued')], [9, 3]);
    await assertHeld(holds.slice(0, 9));
    await control.clear();
    await completed(own);
  });

  it('share the only slot: the other project comes next', async () => {
    await start(1);
    const holds = await holdFirst(1);
    const ids = {
      first: newRequestId(),
      second: newRequestId(),
      third: newRequestId(),
      other: newRequestId(),
    };
    const own = [
      await gateway.createInstance(request, ids.first),
      await gateway.createInstance(request, ids.second),
      await gateway.createInstance(request, ids.third),
    ];
    await assertHeld(holds);
    const other = await failing(alice, ids.other);

    await control.clear();

    await messagesOf(other);
    await completed(own);
    // Only jobs read the routers, and the source of her volume.
    const began = (await control.calls()).filter(({ operation }) =>
      ['routers.list', 'snapshots.get'].includes(operation ?? ''),
    );
    const order = began.map(({ request_id }) => request_id);
    const firstCalls = Object.entries(ids).sort(
      ([, one], [, two]) => order.indexOf(one) - order.indexOf(two),
    );
    assert.deepEqual(
      firstCalls.map(([name]) => name),
      ['first', 'other', 'second', 'third'],
    );
  });
});

function newRequestId(): string {
  return `req-${newId()}`;
}
