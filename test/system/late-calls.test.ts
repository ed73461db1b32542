import assert from 'node:assert/strict';
import { messagesOf } from '../support/clients/gateway-client.ts';
import { JobWatcher } from '../support/clients/job-watcher.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

const HOLD_MS = 30_000;

describe('a call that a service carries out after its sender was killed', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        jobs: { lock_seconds: 2, poll_interval_ms: 50, sweep_seconds: 1, late_call_seconds: 1 },
      },
    });
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  for (const operation of ['volumes.create', 'servers.create']) {
    it(`leaves nothing if it takes effect after the job: ${operation}`, async () => {
      const { control, gateway, request, stack } = simulated;
      const rights = await control.rights();
      const hold = await control.hold('late', { operation });
      const stream = await gateway.createInstance(request);
      assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
      await stack.workers[0]?.kill('SIGKILL');
      await stack.workers[0]?.restart();
      const watcher = new JobWatcher();
      await watcher.readEvents(stream);
      assert.equal(watcher.last?.step, 'COMPLETED', watcher.last?.error ?? '');
      const completed = await control.inventory();
      // The service user sweeps: a job of a store that is set back sees by its rights that it has ended.
      await eventually(async () => {
        const left = [...(await control.rights())];
        return left.every(([kind, ids]) => ids.isSubsetOf(rights.get(kind) ?? new Set()));
      });

      await hold.release();

      const call = await eventually(async () =>
        (await control.calls()).find((made) => made.operation === operation && made.status === null),
      );
      // A second server would be refused its volume. A second volume is created, and removed.
      assert.equal(call.performed, operation === 'volumes.create');
      await eventually(async () => {
        assert.deepEqual(await control.inventory(), completed);
        return true;
      });
    });
  }

  it('is also found by the deletion of its instance', async () => {
    const { control, gateway, request, stack, baseline } = simulated;
    const hold = await control.hold('late', { operation: 'volumes.create' });
    const stream = await gateway.createInstance(request);
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    await stack.workers[0]?.kill('SIGKILL');
    await stack.workers[0]?.restart();
    const watcher = new JobWatcher();
    await watcher.readEvents(stream);
    const { instance_id: id } = watcher.last ?? {};
    await hold.release();

    const answer = await gateway.request('DELETE', `/api/instances/${id}`);

    assert.equal(answer.status, 204, answer.text);
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });
});

describe("a volume that stays reserved after its unplaced server's deletion", function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ config: { jobs: { lock_seconds: 2, poll_interval_ms: 50 } } });
  });

  after(() => simulated?.stop());

  it('is released and deleted', async () => {
    const { control, gateway, request, baseline } = simulated;
    await control.set({ leavesReservations: true });
    const hold = await control.hold('before', { operation: 'servers.create' });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id');
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    // The server stays without a host for long enough to be deleted in that state.
    await control.set({ delayScale: 10 });
    await gateway.request('POST', `/api/jobs/${jobId}/cancel`);
    await hold.release();

    const last = (await messagesOf(stream)).at(-1);

    assert.equal(last?.code, 'cancelled');
    const { leftovers } = await gateway.read<{ leftovers: object[] }>(`/api/jobs/${jobId}`);
    assert.deepEqual(leftovers, []);
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
    const released = await control.calls();
    assert.ok(released.some(({ operation, performed }) => operation === 'attachments.delete' && performed));
  });
});
