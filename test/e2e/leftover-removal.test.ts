import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import type { CloudsimControl, RecordedCall } from '../support/clients/cloudsim-control.ts';
import { GatewayClient, messagesOf } from '../support/clients/gateway-client.ts';
import { externalNetworkId } from '../support/projects/prepared-project.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';
import { failedJob, LeftoverList } from '../support/subjects/leftovers.ts';

describe('the removal of a leftover by an administrator', function () {
  this.timeout(120_000);
  let simulated: SimulatedStack;
  let control: CloudsimControl;
  let admin: GatewayClient;
  let cloud: CloudClient;
  let list: LeftoverList;

  before(async () => {
    // The sweeps leave everything to the administrator.
    simulated = await SimulatedStack.start({
      config: {
        jobs: { poll_interval_ms: 50, sweep_seconds: 86_400, late_call_seconds: 60, lock_seconds: 2 },
        time_limits: { undo_seconds: 1, step_retry_seconds: 0, upstream_request_seconds: 5 },
      },
    });
    ({ control } = simulated);
    admin = await GatewayClient.logIn(simulated.stack.url, testLogin('admin'));
    cloud = await CloudClient.logIn(simulated.stack.identityUrl ?? '', testLogin('demo'));
    list = new LeftoverList((method, path, body) => admin.request(method, path, body));
  });

  after(() => simulated?.stop());

  afterEach(() => simulated.restore());

  async function makeFloatingIp(): Promise<string> {
    const description = `gateway job ${await failedJob(simulated.gateway)}`;
    const { floatingip } = await cloud.call<{ floatingip: { id: string } }>(
      'network',
      'POST',
      '/v2.0/floatingips',
      { floatingip: { floating_network_id: await externalNetworkId(cloud), description } },
    );
    return floatingip.id;
  }

  const change = (id: string, fields: object) =>
    cloud.call('network', 'PUT', `/v2.0/floatingips/${id}`, { floatingip: fields });

  const remove = (id: string) => cloud.call('network', 'DELETE', `/v2.0/floatingips/${id}`, undefined, [404]);

  it('removes what a job could not remove', async () => {
    const { baseline, gateway, request } = simulated;
    await control.addFault({ operation: 'servers.create', status: 403 });
    await control.addFault({ operation: 'volumes.delete', status: 400, times: 0 });
    const stream = await gateway.createInstance(request);
    const jobId = stream.headers.get('x-job-id') ?? '';
    assert.equal((await messagesOf(stream)).at(-1)?.step, 'FAILED');
    const { leftovers } = await gateway.read<{ leftovers: { type: string; id: string; reason: string }[] }>(
      `/api/jobs/${jobId}`,
    );
    const { id = '', reason = '' } = leftovers[0] ?? {};

    const row = (await list.rows([id]))[id];

    assert.deepEqual(
      [row?.type, row?.source, row?.job_id, row?.reason, row?.is_removable, row?.doubt],
      ['volume', 'job', jobId, reason, true, null],
    );
    const failed = await list.remove('volume', id);
    assert.equal(failed.status, 'failed');
    assert.match(failed.error ?? '', /./);
    assert.equal((await list.rows([id]))[id]?.is_removable, true);

    await control.clear();

    assert.equal((await list.remove('volume', id)).status, 'completed');
    assert.deepEqual(await list.rows([id]), {});
    assert.deepEqual(await control.inventory(), baseline);
  });

  it('checks the resource again before it removes it', async () => {
    const id = await makeFloatingIp();
    const hold = await control.hold('before', { operation: 'servers.list_detail', nth: 2 });
    const started = await list.start('floating_ip', id);
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    // Another user takes it over between the check and the removal.
    await change(id, { description: 'mine' });
    await hold.release();
    const job = await list.ended(started.body.job_id);

    assert.equal(job.status, 'failed');
    assert.match(job.error ?? '', /is not a leftover. It does not bear the mark/);
    assert.ok((await control.inventory()).get('floating_ips')?.has(id));
    await remove(id);
  });

  it('is one job, however often it is asked for', async () => {
    const id = await makeFloatingIp();
    const hold = await control.hold('before', { operation: 'floating_ips.delete' });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const send = async () => {
      const response = await fetch(`${admin.url}/api/admin/leftovers/floating_ip/${id}/remove`, {
        method: 'POST',
        headers: { ...admin.headers(), ...key },
      });
      return { status: response.status, body: (await response.json()) as { job_id: string } };
    };
    const first = await send();
    assert.equal(await hold.waitUntilReached(60_000), 'held');

    const again = await send();
    const other = await list.refusal(409, 'floating_ip', id);

    assert.deepEqual([again.status, again.body], [202, first.body]);
    assert.match(other.detail, /being removed already/);
    assert.equal((other as { job_id?: string }).job_id, first.body.job_id);
    await hold.release();
    assert.equal((await list.ended(first.body.job_id)).status, 'completed');
    const last = await send();
    assert.deepEqual([last.status, last.body], [202, first.body]);
  });

  it('ends although its worker dies after the service has acted', async () => {
    const id = await makeFloatingIp();
    const hold = await control.hold('after', { operation: 'floating_ips.delete' });
    const { body } = await list.start('floating_ip', id);
    assert.equal(await hold.waitUntilReached(60_000), 'held');
    await simulated.stack.workers[0]?.kill('SIGKILL');
    await simulated.stack.workers[0]?.restart();

    const job = await list.ended(body.job_id);

    assert.deepEqual([job.status, job.error], ['completed', null]);
    assert.equal((await control.inventory()).get('floating_ips')?.has(id), false);
  });

  it('reads nothing of the cloud for others than administrators', async () => {
    const requests = [
      ['GET', '/api/admin/leftovers'],
      ['POST', `/api/admin/leftovers/volume/${crypto.randomUUID()}/remove`],
    ] as const;
    for (const [method, path] of requests) {
      const requestId = `req-${crypto.randomUUID()}`;
      const { status } = await simulated.gateway.request(method, path, undefined, requestId);
      assert.equal(status, 403);
      const calls: RecordedCall[] = await control.calls(requestId);
      assert.deepEqual(
        calls.filter(({ operation }) => operation?.startsWith('tokens.') !== true),
        [],
      );
    }
  });
});
