import assert from 'node:assert/strict';
import type { LiteCluster, LiteClusterAgent, LiteClusterStore } from '@gateway/lite';
import { recordAgents, withdrawAgents } from '../../../apps/worker/src/sagas/lite-clusters/record-agents.ts';

function agent(number: number): LiteClusterAgent {
  return { number, vmId: `vm-${number}`, volumeId: `volume-${number}` };
}

describe('the record of an agent that replaces another', () => {
  /** Agents 1 and 2; agent 3 is created. */
  function cluster() {
    let record = { status: 'ACTIVE', agents: [agent(1), agent(2)], heldNumbers: [3] } as LiteCluster;
    const liteClusters = {
      read: async () => record,
      update: async (_cluster: unknown, change: (current: LiteCluster) => Partial<LiteCluster>) => {
        record = { ...record, ...change(record) };
        return true;
      },
    } as unknown as LiteClusterStore;
    const state = { agentPlan: { numbers: [3] }, agentServerId0: 'vm-3', agentVolumeId0: 'volume-3' };
    const context = { liteClusters, state } as unknown as Parameters<typeof recordAgents>[0];
    return { context, read: () => ({ agents: record.agents, heldNumbers: record.heldNumbers }) };
  }

  it('takes its place, and holds its number', async () => {
    const { context, read } = cluster();

    await recordAgents(context, [1]);
    assert.deepEqual(read(), { agents: [agent(2), agent(3)], heldNumbers: [1] });
    await recordAgents(context, [1]);
    assert.deepEqual(read(), { agents: [agent(2), agent(3)], heldNumbers: [1] });
  });

  it('is taken back by a rollback that did not know of it', async () => {
    const { context, read } = cluster();
    await recordAgents(context, [1]);

    const record = (await context.liteClusters.read('')) as LiteCluster;
    await withdrawAgents(context, record, [3], [agent(1)]);

    assert.deepEqual(read(), { agents: [agent(1), agent(2)], heldNumbers: [3] });
  });

  it('that was never written stays so', async () => {
    const { context, read } = cluster();
    const before = (await context.liteClusters.read('')) as LiteCluster;

    assert.equal(await withdrawAgents(context, before, [3], [agent(1)]), before);
    assert.deepEqual(read(), { agents: [agent(1), agent(2)], heldNumbers: [3] });
  });
});
