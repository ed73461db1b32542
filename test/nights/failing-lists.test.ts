import assert from 'node:assert/strict';
import { newRequestId } from '@gateway/core';
import { alertsFiring, scrape } from '../support/alerts/firing-alerts.ts';
import { CloudsimControl } from '../support/clients/cloudsim-control.ts';
import { eventually } from '../support/eventually.ts';
import { readCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';
import { createServiceLoadBalancer } from '../support/lite/service-load-balancer.ts';
import { simulatedCloud } from '../support/stacks/test-stack.ts';

describe('a night in which a cluster is deleted while a list fails', function () {
  this.timeout(240_000);
  let project: LiteProject;

  before(async () => {
    project = await LiteProject.start({
      ...simulatedCloud,
      own: true,
      cloudsimEnv: { CLOUDSIM_DELAY_SCALE: '0.05' },
      config: {
        jobs: { sweep_seconds: 1, poll_interval_ms: 50 },
        time_limits: { undo_seconds: 5 },
        lite: { plugins: { cloud_controller_enabled: true } },
      },
    });
  });
  after(() => project?.stop());

  it('loses its machines, and says what is left until it is gone', async () => {
    const { cloud, mine, stack, subnetId } = project;
    const control = new CloudsimControl(stack.cloudsim?.url ?? '');
    const cluster = await project.createActive({ agent_count: 1 });
    const balancerId = await createServiceLoadBalancer(cloud, { clusterName: cluster.name, subnetId });
    const requestId = newRequestId();
    await control.addFault({ requestId, operation: 'loadbalancers.list', status: 403, times: 0 });

    const path = `/api/lite/clusters/${cluster.id}`;
    assert.equal((await mine.request('DELETE', path, undefined, requestId)).status, 204);

    const reason = async () => (await readCluster(mine, cluster.id)).status_reason;
    await eventually(async () => {
      assert.match((await reason()) ?? '', /Load balancers could not be searched for yet/);
      return true;
    });
    await eventually(async () => {
      const { loadbalancers, servers, volumes } = await project.remains();
      assert.deepEqual([loadbalancers, servers, volumes], [[balancerId], [], []]);
      return true;
    }, 60_000);
    const left = await eventually(async () => {
      const targets = await scrape(stack);
      return targets.some(({ text }) => /^gateway_leftovers(?:\{.*\})? 1$/m.test(text ?? ''))
        ? targets
        : undefined;
    }, 60_000);
    const said = stack.workers.flatMap(({ logs }) => logs());
    assert.ok(said.some((line) => line.includes('Resources could not be searched for yet')));
    assert.ok((await alertsFiring([{ atMinutes: 0, targets: left }], 20)).includes('GatewayLeftovers'));

    await control.clear();

    await eventually(async () => {
      assert.equal(await reason(), null);
      return true;
    }, 60_000);
    await project.hasOnly();
  });
});
