import { conflict } from '@gateway/core';
import { createdAgents } from '../../lite-clusters/agent-steps.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { defineScaleStep } from '../saga.ts';

/** Makes the new agents part of the cluster. From here on the scaling is not rolled back. */
export const recordScaling = defineScaleStep<{ isRecorded: boolean }>({
  name: 'record',
  commits: true,
  onRepeat: 'idempotent',
  async run(context) {
    const created = createdAgents(context.state);
    if (created.length === 0) return { isRecorded: true };
    const cluster = await requireLiteCluster(context);
    const isNew = (number: number) => created.some((agent) => agent.number === number);
    const agents = [...cluster.agents.filter(({ number }) => !isNew(number)), ...created];
    const isRecorded = await context.liteClusters.update(
      cluster,
      {
        agents: agents.sort((a, b) => a.number - b.number),
        heldNumbers: cluster.heldNumbers.filter((number) => !isNew(number)),
      },
      ['ACTIVE'],
    );
    if (!isRecorded) throw conflict('The cluster is being deleted.');
    return { isRecorded };
  },
});
