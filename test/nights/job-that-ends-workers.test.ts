import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

interface AdminJob {
  id: string;
  status: string;
  state: string;
  message: string;
  lost_runs: number;
  allowed_actions: string[];
}

const MAX_LOST_RUNS = 4;
const JOBS = '/api/admin/jobs';

describe('a night in which a job ends each worker that runs it', function () {
  this.timeout(240_000);
  let simulated: SimulatedStack;
  let admin: GatewayClient;

  before(async () => {
    simulated = await SimulatedStack.start({
      own: true,
      config: { jobs: { lock_seconds: 2, max_lost_runs: MAX_LOST_RUNS } },
    });
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
  });
  after(() => simulated?.stop());

  it('holds that job alone, says so, and completes it after its release', async () => {
    const { control, gateway, request, stack } = simulated;
    const requestId = newRequestId();
    await stack.workers[0]?.kill('SIGKILL');
    const stream = await gateway.createInstance(request, requestId);
    const jobId = stream.headers.get('x-job-id') ?? '';
    const other = await gateway.createInstance({ ...request, name: 'e2e-other' });
    const log: string[] = [];

    for (let run = 0; run < MAX_LOST_RUNS; run += 1) {
      const call = await control.hold('before', { requestId });
      await stack.workers[0]?.restart();
      assert.equal(await call.waitUntilReached(60_000), 'held', `run ${run}`);
      await stack.workers[0]?.kill('SIGKILL');
      await control.clear();
    }
    await stack.workers[0]?.restart();
    const held = await eventually(async () => {
      const job = await admin.read<AdminJob>(`${JOBS}/${jobId}`);
      return job.state === 'held' ? job : undefined;
    }, 60_000);
    log.push(...(stack.workers[0]?.logs() ?? []));

    assert.equal((await messagesOf(other)).at(-1)?.step, 'COMPLETED');
    assert.deepEqual([held.status, held.lost_runs], ['running', MAX_LOST_RUNS]);
    assert.deepEqual(held.allowed_actions, ['release', 'cancel']);
    assert.match(
      held.message,
      /^The job is held, because its runs have ended several times without a result\./,
    );
    assert.ok(log.some((line) => line.includes('A job is held') && line.includes(jobId)));
    const { items } = await admin.read<{ items: AdminJob[] }>(`${JOBS}?state=held`);
    assert.deepEqual(
      items.map(({ id }) => id),
      [jobId],
    );
    const scrapes = [{ atMinutes: 0, targets: await scrape(stack) }];
    assert.ok((await alertsFiring(scrapes, 5)).includes('GatewayJobHeld'));

    const answer = await admin.request('POST', `${JOBS}/${jobId}/release`);
    assert.equal(answer.status, 200, answer.text);
    const messages = await messagesOf(stream);
    assert.equal(messages.at(-1)?.step, 'COMPLETED');
    assert.ok(messages.some(({ message }) => message === held.message));
    const well = [{ atMinutes: 0, targets: await scrape(stack) }];
    assert.ok(!(await alertsFiring(well, 5)).includes('GatewayJobHeld'));
  });

  it('stops the run of a job that an administrator holds', async () => {
    const { control, gateway, request } = simulated;
    const requestId = newRequestId();
    const call = await control.hold('before', { requestId, operation: 'servers.create' });
    const stream = await gateway.createInstance({ ...request, name: 'e2e-held' }, requestId);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal(await call.waitUntilReached(60_000), 'held');
    assert.equal((await admin.request('POST', `${JOBS}/${jobId}/hold`)).status, 200);
    await call.release();
    const seen = await eventually(async () => {
      const message = await stream.nextJson<{ message: string }>();
      return message?.message.startsWith('An administrator holds the job.') ? message : undefined;
    }, 60_000);
    assert.ok(seen);
    const before = await control.inventory();

    assert.equal((await admin.request('POST', `${JOBS}/${jobId}/cancel`)).status, 202);
    const rest = (await stream.rest()).map(
      ({ data }) => JSON.parse(data) as { step: string; progress: number },
    );

    assert.deepEqual([rest.at(-1)?.step, rest.at(-1)?.progress], ['FAILED', -1]);
    const after = await control.inventory();
    assert.ok(
      (before.get('volumes')?.size ?? 0) > (after.get('volumes')?.size ?? 0),
      'the boot volume was kept',
    );
  });
});
