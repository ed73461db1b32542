import assert from 'node:assert/strict';
import type { InstanceMessage } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** Long enough for the restarted worker to run the deletion before it resumes the creation. */
const LOCK_SECONDS = 4;
const HOLD_MS = 30_000;

describe('an instance that is deleted before its creation has recorded it', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: { jobs: { lock_seconds: LOCK_SECONDS, poll_interval_ms: 50 } },
    });
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  it('is gone in the end, and is not created again', async () => {
    const { control, gateway, request, stack, baseline } = simulated;
    const [worker] = stack.workers;
    const hold = await control.hold('after', { operation: 'servers.create' });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id');
    assert.equal(await hold.waitUntilReached(HOLD_MS), 'held');
    await worker?.kill('SIGKILL');
    await hold.release();
    const servers = (await control.inventory()).get('servers') ?? new Set();
    const [made] = servers.difference(baseline.get('servers') ?? new Set());
    await worker?.restart();

    const answer = await gateway.request('DELETE', `/api/instances/${made}`);

    assert.equal(answer.status, 204, answer.text);
    const messages = await stream.rest();
    const last = JSON.parse(messages.at(-1)?.data ?? '{}') as InstanceMessage;
    assert.equal(last.step, 'FAILED');
    assert.equal((await gateway.read<{ status: string }>(`/api/jobs/${jobId}`)).status, 'cancelled');
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });
});
