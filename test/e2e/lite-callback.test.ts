import assert from 'node:assert/strict';
import { CloudClient } from '../support/clients/cloud-client.ts';
import { eventually } from '../support/eventually.ts';
import { ControlNode } from '../support/lite/control-node.ts';
import { ReportedStack } from '../support/lite/reported-stack.ts';
import { testLogin } from '../support/stacks/test-stack.ts';

/** A token is the id of a job and a secret part. */
function partsOf(token: unknown): [jobId: string, secret: string] {
  const [jobId = '', secret = ''] = String(token).split('.');
  return [jobId, secret];
}

describe('the report of a control node', function () {
  this.timeout(120_000);
  let reported: ReportedStack;

  before(async () => {
    reported = await ReportedStack.start({
      config: { lite: { plugins: { cloud_controller_enabled: true, block_csi_enabled: true } } },
    });
  });

  after(() => reported?.stop());

  it('counts once: the same one is accepted again, another one is not', async () => {
    const cluster = await reported.createHeld();
    const { report } = cluster;

    const first = await report.deliver();
    assert.deepEqual([first?.status, (await report.deliver())?.status], [200, 200]);
    assert.equal((await report.deliver({ server_ip: '127.9.9.9' }))?.status, 403);
    assert.equal((await report.deliver({ success: false, error: 'no' }))?.status, 403);
    report.answer(first);

    assert.equal((await cluster.end()).step, 'completed');
    const { server_ip, status } = await cluster.read();
    assert.deepEqual([status, server_ip], ['ACTIVE', report.body.server_ip]);
    // After the end, too.
    assert.equal((await report.deliver({ success: false, error: 'no' }))?.status, 403);
    assert.equal((await cluster.read()).status, 'ACTIVE');
  });

  it('is followed by renewed configuration files, with another token', async () => {
    const cluster = await reported.createHeld();
    const { kubeconfig, token } = cluster.report.body;
    cluster.report.answer(await cluster.report.deliver());
    assert.equal((await cluster.end()).step, 'completed');
    const { stack } = reported.simulated;
    const admin = await CloudClient.logIn(stack.identityUrl ?? '', testLogin('admin'));
    const { renewalToken } = await ControlNode.of(admin, (await cluster.read()).server_vm_id ?? '');
    const statusOf = async (used: unknown) => {
      const response = await fetch(`${stack.url}/api/lite/callback/kubeconfig`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: used, kubeconfig }),
      });
      await response.body?.cancel();
      return response.status;
    };

    assert.deepEqual([await statusOf(token), await statusOf(renewalToken)], [403, 200]);
  });

  it('is accepted with the token of its own cluster only', async () => {
    const [one, other] = [await reported.createHeld(), await reported.createHeld()];
    const [oneJob, oneSecret] = partsOf(one.report.body.token);
    const [otherJob, otherSecret] = partsOf(other.report.body.token);

    for (const token of [
      `${oneJob}.${otherSecret}`,
      `${otherJob}.${oneSecret}`,
      `${oneJob}.${'A'.repeat(oneSecret.length)}`,
      `${oneJob}.`,
      oneJob,
      'unknown',
    ]) {
      assert.equal((await one.report.deliver({ token }))?.status, 403, token);
    }
    assert.deepEqual([(await one.read()).status, (await other.read()).status], ['CREATING', 'CREATING']);
    one.report.answer(await one.report.deliver());
    assert.equal((await one.end()).step, 'completed');
    assert.equal((await other.read()).status, 'CREATING');
    other.report.answer(await other.report.deliver());
    assert.equal((await other.end()).step, 'completed');
    assert.notEqual((await one.read()).server_ip, (await other.read()).server_ip);
  });

  it('lists failed plugins, and the cluster still becomes ACTIVE', async () => {
    // The checks of the health find no workloads either.
    await reported.simulated.control.set({ guest: { failedPlugins: ['cloud_controller', 'block_csi'] } });
    const cluster = await reported.createHeld();
    await reported.simulated.control.set({ guest: { failedPlugins: [] } });
    const plugin_status = { cloud_controller: 'failed', unknown_plugin: 'deployed' };

    cluster.report.answer(await cluster.report.deliver({ plugin_status }));

    assert.equal((await cluster.end()).step, 'completed');
    // One that the node does not mention was not installed.
    const { plugin_status: told, status } = await cluster.read();
    assert.deepEqual([status, told], ['ACTIVE', { cloud_controller: 'failed', block_csi: 'failed' }]);
  });

  it('of a failure ends the creation with its reason, without secrets', async () => {
    const cluster = await reported.createHeld();
    const error = `curl -H "X-Auth-Token: gAAAAABn${'x'.repeat(40)}" failed`;

    cluster.report.answer(await cluster.report.deliver({ success: false, error }));

    const last = await cluster.end();
    assert.deepEqual([last.step, last.code], ['failed', 'lite_install_failed']);
    assert.match(last.error ?? '', /curl -H .* failed/);
    assert.doesNotMatch(last.error ?? '', /gAAAAABn/);
    assert.equal((await cluster.read()).status_reason, last.error);
  });
});

describe('the report of a control node that comes too late', function () {
  this.timeout(120_000);
  let reported: ReportedStack;

  before(async () => {
    reported = await ReportedStack.start({ config: { time_limits: { lite_callback_seconds: 5 } } });
  });

  after(() => reported?.stop());

  it('is 403, and revives nothing', async () => {
    const { control, baseline } = reported.simulated;
    const cluster = await reported.createHeld();
    const last = await cluster.end();
    assert.deepEqual([last.step, last.code], ['failed', 'lite_callback_timeout']);

    assert.equal((await cluster.report.deliver())?.status, 403);

    const { status, server_vm_id } = await cluster.read();
    assert.deepEqual([status, server_vm_id], ['ERROR', null]);
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });

  it('is 403 after the deletion of the cluster', async () => {
    const { control, baseline, gateway } = reported.simulated;
    const cluster = await reported.createHeld();
    const answer = await gateway.request('DELETE', `/api/lite/clusters/${cluster.id}`);
    assert.equal(answer.status, 204, answer.text);
    assert.equal((await cluster.end()).step, 'failed');

    assert.equal((await cluster.report.deliver())?.status, 403);

    assert.equal((await cluster.read()).status, 'DELETED');
    await eventually(async () => {
      assert.deepEqual(await control.inventory(), baseline);
      return true;
    });
  });
});
