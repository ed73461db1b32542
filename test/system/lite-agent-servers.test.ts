import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { deleteCluster, readCluster, scaleCluster } from '../support/lite/clusters.ts';
import { LiteProject } from '../support/lite/lite-project.ts';

/**
 * Runs on a real cloud too. There the nodes have no API server, and only the servers and
 * volumes show the scaling.
 */
describe('the servers of the agents of a lite cluster', function () {
  this.timeout(900_000);
  let project: LiteProject;
  let id: string;
  let name: string;

  before(async () => {
    project = await LiteProject.start();
    ({ id, name } = await project.createActive({ agent_count: 1 }));
  });

  after(() => project?.stop());

  async function serverNames(): Promise<string[]> {
    const { servers } = await project.cloud.call<{ servers: { name: string }[] }>(
      'compute',
      'GET',
      '/servers',
    );
    return servers.map((server) => server.name).sort();
  }

  async function attachedVolumes(): Promise<number> {
    const { volumes } = await project.cloud.call<{ volumes: { attachments: unknown[] }[] }>(
      'volumev3',
      'GET',
      '/volumes/detail',
    );
    assert.deepEqual(volumes.map(({ attachments }) => attachments.length > 0).includes(false), false);
    return volumes.length;
  }

  for (const [count, agents] of [
    [3, ['agent-1', 'agent-2', 'agent-3']],
    [1, ['agent-1']],
    [0, []],
  ] as const) {
    it(`are ${count} with their volumes once the cluster is scaled to ${count}`, async () => {
      const answer = await scaleCluster(project.mine, id, count);

      assert.deepEqual([answer.status, answer.body.agent_count], [200, count], answer.text);
      const expected = [...agents, 'server'].map((node) => `${name}-${node}`);
      await eventually(async () => {
        assert.deepEqual(await serverNames(), expected);
        assert.equal(await attachedVolumes(), expected.length);
        return true;
      }, 60_000);
      const { agent_vm_ids } = await readCluster(project.mine, id);
      const ids = await Promise.all(agents.map((agent) => project.serverId(`${name}-${agent}`)));
      assert.deepEqual([...agent_vm_ids].sort(), ids.sort());
    });
  }

  it('leave nothing when the cluster is deleted', async () => {
    assert.equal((await deleteCluster(project.mine, id)).status, 204);
    await project.cleanedUp(id);
    await project.hasOnly();
  });
});
