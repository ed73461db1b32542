import assert from 'node:assert/strict';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

const OPS = { ops: { allow_changes: true } };

describe('a night with a quiet log and a hurried operator', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  before(async () => {
    simulated = await SimulatedStack.start({ own: true, config: OPS, env: { LOG_LEVEL: 'warn' } });
  });
  after(() => simulated?.stop());

  async function alertsOf(afterMinutes: number): Promise<string[]> {
    return alertsFiring([{ atMinutes: 0, targets: await scrape(simulated.stack) }], afterMinutes);
  }

  it('keeps the audit of what was changed', async () => {
    const { gateway, stack } = simulated;
    const key = await gateway.request('POST', '/api/keypairs', { name: 'night' });
    assert.equal(key.status, 200);
    await gateway.request('DELETE', '/api/keypairs/night');

    const lines = await eventually(async () => {
      const audit = stack.apis[0]?.logs().filter((line) => line.includes('"message":"Audit"')) ?? [];
      return audit.filter((line) => line.includes('/api/keypairs')).length >= 2 ? audit : undefined;
    });
    assert.ok(lines.every((line) => line.includes('"level":"audit"')));
  });

  it('raises an alert for a queue that stays paused', async () => {
    const operator = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    const change = (action: 'pause' | 'resume') =>
      operator.request('POST', `/api/admin/queues/provisioning/${action}`);

    assert.equal((await change('pause')).status, 200);
    assert.deepEqual(await alertsOf(20), ['GatewayQueuePaused']);
    assert.equal((await change('resume')).status, 200);
    assert.deepEqual(await alertsOf(20), []);
  });

  it('continues a job at a hang-up, and only reloads', async () => {
    const { gateway, request, stack } = simulated;
    const user = await GatewayClient.logIn(stack.url, testLogin('demo'));
    const stream = await user.createInstance(request);
    await stream.next();
    await stack.workers[0]?.kill('SIGHUP');

    const last = (await messagesOf(stream)).at(-1);
    assert.equal(last?.step, 'COMPLETED', last?.error ?? '');
    assert.deepEqual(
      stack.workers[0]?.logs().filter((line) => line.includes('"level":"error"')),
      [],
    );
    await gateway.request('DELETE', `/api/instances/${last.instance_id}`);
  });
});

describe('a night in which a tenant exceeds a quota', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  before(async () => {
    simulated = await SimulatedStack.start({ own: true });
  });
  after(() => simulated?.stop());

  it('raises no alert, unlike a service that fails', async () => {
    const { control, gateway, request, stack } = simulated;
    const failThrice = async (status: number) => {
      await control.addFault({ service: 'compute', operation: 'servers.create', status, times: 3, body: {} });
      for (let count = 0; count < 3; count += 1) {
        const last = (await messagesOf(await gateway.createInstance(request))).at(-1);
        assert.equal(last?.step, 'FAILED');
      }
      await control.clear();
    };
    const scrapes: Parameters<typeof alertsFiring>[0][number][] = [];
    const observeAt = async (minute: number) => {
      for (const atMinutes of [minute, minute + 1]) scrapes.push({ atMinutes, targets: await scrape(stack) });
    };

    await observeAt(0);
    await failThrice(403);
    await observeAt(5);
    assert.deepEqual(await alertsFiring(scrapes, 20), []);

    await failThrice(500);
    await observeAt(25);
    assert.ok((await alertsFiring(scrapes, 35)).includes('GatewayJobFailures'));
  });
});
