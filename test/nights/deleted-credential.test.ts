import assert from 'node:assert/strict';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { GatewayClient } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

interface Job {
  status: string;
  leftovers: unknown[];
}

describe('a night in which a program deletes the credential of its job', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;

  before(async () => {
    simulated = await SimulatedStack.start({ own: true });
  });
  after(() => simulated?.stop());

  it("leaves nothing: the gateway's own user undoes the job", async () => {
    const { control, gateway, request, stack } = simulated;
    const credentials = '/api/auth/application-credentials';
    const made = await gateway.request<{ id: string; secret: string }>('POST', credentials, {
      name: 'night',
      roles: ['member'],
    });
    const { id, secret } = made.body;
    const login = { application_credential: { id, secret } };
    const answer = await new GatewayClient(stack.url, '', '').request<{ token: string }>(
      'POST',
      '/api/auth/login',
      login,
    );
    const program = new GatewayClient(stack.url, answer.body.token, gateway.projectId);
    const hold = await control.hold('before', { operation: 'servers.create' });
    const stream = await program.createInstance(request);
    stream.close();
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    const before = await control.inventory();
    assert.ok((before.get('volumes')?.size ?? 0) > (simulated.baseline.get('volumes')?.size ?? 0));

    assert.equal((await gateway.request('DELETE', `${credentials}/${id}`)).status, 204);
    await hold.release();

    const job = await eventually(async () => {
      const read = await gateway.read<Job>(`/api/jobs/${stream.headers.get('x-job-id')}`);
      return read.status === 'failed' ? read : undefined;
    });
    assert.deepEqual(job.leftovers, []);
    assert.deepEqual(await control.inventory(), simulated.baseline);
    const said = stack.workers.flatMap(({ logs }) => logs());
    assert.ok(said.some((line) => line.includes('A credential of a job was refused')));
    const targets = await scrape(stack);
    assert.deepEqual(await alertsFiring([{ atMinutes: 0, targets }], 30), []);
  });
});
