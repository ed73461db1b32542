import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFirstBootData } from '../../apps/cloudsim/src/guest/first-boot-data.ts';
import { eventually } from '../support/eventually.ts';
import { createCluster, readCluster, scaleCluster } from '../support/lite/clusters.ts';
import { SimulatedStack } from '../support/stacks/simulated-stack.ts';

/** As the api stores it: on one line, with single blanks. */
const REASON = 'stage install: [ERROR] no such release';

describe('an agent whose first boot fails', function () {
  this.timeout(180_000);
  let simulated: SimulatedStack;
  let name: string;
  let agent: string;
  /** What the project must have after each test. */
  let inventory: object;

  /** @param readySeconds the time limit of new nodes */
  async function start(readySeconds: number): Promise<void> {
    simulated = await SimulatedStack.start({
      config: {
        lite: { server_volume_size_gb: 1, agent_volume_size_gb: 1, health: { request_seconds: 1 } },
        time_limits: { lite_ready_seconds: readySeconds },
      },
    });
  }

  async function createWithoutAgents(): Promise<string> {
    const created = (await createCluster(simulated.gateway, { name, agent_count: 0 })).at(-1);
    assert.equal(created?.step, 'completed', created?.error ?? '');
    inventory = await simulated.control.inventory();
    return created.cluster_id;
  }

  beforeEach(() => {
    name = `e2e-${randomUUID().slice(0, 8)}`;
    agent = `${name}-agent-1`;
  });

  afterEach(async () => {
    await eventually(async () => {
      assert.deepEqual(await simulated.control.inventory(), inventory);
      return true;
    });
  });

  describe('and that reports it', () => {
    let expected: string;

    // The test ends long before the time limit.
    before(() => start(3600));

    beforeEach(() => {
      expected = `The first boot of ${agent} failed at ${REASON}.`;
    });

    after(() => simulated?.stop());

    it('ends the creation of its cluster at once', async () => {
      await simulated.control.set({ guest: { failedAgents: [agent] } });
      inventory = await simulated.control.inventory();

      const last = (await createCluster(simulated.gateway, { name, agent_count: 2 })).at(-1);

      assert.deepEqual([last?.step, last?.error], ['failed', expected]);
      const cluster = await readCluster(simulated.gateway, last?.cluster_id ?? '');
      assert.deepEqual([cluster.status, cluster.status_reason], ['ERROR', expected]);
    });

    it('ends a scaling at once, and is removed', async () => {
      const id = await createWithoutAgents();
      await simulated.control.set({ guest: { failedAgents: [agent] } });
      const answer = await scaleCluster(simulated.gateway, id, 1);

      assert.deepEqual([answer.status, answer.body.code], [502, 'lite_nodes_not_ready'], answer.text);
      assert.equal(answer.body.detail, expected);
      const cluster = await readCluster(simulated.gateway, id);
      assert.deepEqual([cluster.status, cluster.status_reason], ['ACTIVE', expected]);
    });

    it('ends nothing in the name of another machine', async () => {
      const id = await createWithoutAgents();
      await simulated.control.set({ guest: { failedAgents: [agent], silentAgents: [agent] } });
      const scaling = scaleCluster(simulated.gateway, id, 1);
      const vmId = await eventually(async () => {
        const path = '/api/instances?refresh=true';
        const servers = await simulated.gateway.read<{ id: string; name: string }[]>(path);
        return servers.find((server) => server.name === agent)?.id;
      });
      const data = readFirstBootData((await simulated.control.userData(vmId)).toString('base64'));
      const token = data.files.get('/etc/gateway/first-boot/report-token')?.trim();
      const report = async (server_id: string, error: string, used = token) => {
        const response = await fetch(`${simulated.stack.url}/api/lite/callback/agent`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: used, server_id, error }),
        });
        await response.body?.cancel();
        return response.status;
      };

      assert.equal(await report(randomUUID(), 'stage join: of a machine that was replaced'), 200);
      assert.equal(await report(vmId, 'stage join: of a stranger', `${token}x`), 403);
      assert.equal(await report(vmId, 'stage gpu: no driver'), 200);
      assert.equal(await report(vmId, 'stage gpu: repeated'), 200);

      const { body } = await scaling;
      assert.equal(body.detail, `The first boot of ${agent} failed at stage gpu: no driver.`);
      assert.equal(await report(vmId, 'stage gpu: after the end'), 403);
    });
  });

  describe('and whose report is lost', () => {
    before(() => start(5));
    after(() => simulated?.stop());

    it('ends a scaling at its time limit, with the reason', async () => {
      const id = await createWithoutAgents();
      await simulated.control.set({ guest: { failedAgents: [agent], silentAgents: [agent] } });

      const answer = await scaleCluster(simulated.gateway, id, 1);

      const detail =
        `The nodes of the cluster were not ready within the time limit (not ready: ${agent}). ` +
        `The first boot of ${agent} failed at stage install: [ERROR]  no such release.`;
      assert.deepEqual([answer.status, answer.body.detail], [502, detail], answer.text);
      assert.equal((await readCluster(simulated.gateway, id)).status_reason, detail);
    });
  });
});
