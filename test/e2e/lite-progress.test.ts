import assert from 'node:assert/strict';
import { messagesOf } from '../support/clients/gateway-client.ts';
import { eventually } from '../support/eventually.ts';
import { LiteProject } from '../support/lite/lite-project.ts';

/** Runs on a real cloud too. */
describe('the creation of a lite cluster', function () {
  this.timeout(900_000);
  let project: LiteProject;

  before(async () => {
    project = await LiteProject.start({ config: { lite: { plugins: { block_csi_enabled: true } } } });
  });

  after(() => project?.stop());

  it('shows what the control node does, and ends with its report', async () => {
    const creation = await project.create({ agent_count: 0 });
    const node = await project.controlNode(creation);
    const shows = (expected: string) =>
      eventually(async () => {
        const { message } = await project.mine.read<{ message: string }>(`/api/jobs/${creation.jobId}`);
        return message === expected;
      });

    assert.equal(await node.progress('install'), 200);
    await shows('The control node installs k3s.');
    assert.equal(await node.progress('plugin', 'block_csi'), 200);
    await shows('The control node installs the plugin block_csi.');
    // A plugin that the cluster does not have is not named.
    assert.equal(await node.progress('wait', 'file_csi'), 200);
    await shows('The control node is being installed.');
    assert.equal(await node.succeeds(), 200);
    assert.equal(await node.progress('k3s'), 403);

    const messages = await messagesOf(creation.stream);
    assert.equal(messages.at(-1)?.step, 'completed', messages.at(-1)?.error ?? '');
    const waiting = messages.filter(({ step }) => step === 'waiting_callback');
    assert.deepEqual(
      waiting.map(({ progress }) => progress),
      waiting.map(() => 80),
    );
    assert.equal(
      (await project.mine.request('DELETE', `/api/lite/clusters/${creation.clusterId}`)).status,
      204,
    );
    await project.cleanedUp(creation.clusterId);
  });
});
