import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import { createCluster, readCluster, scaleCluster } from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

describe('an agent whose first boot fails', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let name: string;
  let expected: string;

  before(async () => {
    simulated = await SimulatedStack.start({
      config: {
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
        time_limits: { lite_ready_seconds: 5 },
      },
    });
  });

  beforeEach(async () => {
    name = `e2e-${randomUUID().slice(0, 8)}`;
    const agent = `${name}-agent-1`;
    expected =
      `The nodes of the cluster were not ready within the time limit (not ready: ${agent}). ` +
      `The first boot of ${agent} failed at stage install: [ERROR]  no such release.`;
    await simulated.control.set({ guest: { failedAgents: [agent] } });
  });

  after(() => simulated?.stop());

  it('ends the creation of its cluster with the reason', async () => {
    const last = (await createCluster(simulated.gateway, { name, agent_count: 1 })).at(-1);

    assert.equal(last?.error, expected);
    assert.equal((await readCluster(simulated.gateway, last.cluster_id)).status_reason, expected);
  });

  it('ends a scaling with the reason, and is removed', async () => {
    const created = (await createCluster(simulated.gateway, { name, agent_count: 0 })).at(-1);
    assert.equal(created?.step, 'completed', created?.error ?? '');
    const before = await simulated.control.inventory();

    const answer = await scaleCluster(simulated.gateway, created.cluster_id, 1);

    assert.deepEqual([answer.status, answer.body.code], [502, 'lite_nodes_not_ready'], answer.text);
    assert.equal(answer.body.detail, expected);
    const cluster = await readCluster(simulated.gateway, created.cluster_id);
    assert.deepEqual([cluster.status, cluster.status_reason], ['ACTIVE', expected]);
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), before);
      return true;
    });
  });
});
