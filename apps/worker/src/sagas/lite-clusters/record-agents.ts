import { conflict } from '@gateway/core';
import { type AgentState, createdAgents } from './agent-steps.ts';
import { type LiteClusterContext, requireLiteCluster } from './context.ts';

/**
 * Makes the created agents part of the cluster, and others no longer part of it: the numbers of these are
 * held until their node objects are gone. Can be repeated.
 *
 * @throws 409 if the cluster is being deleted
 */
export async function recordAgents(
  context: LiteClusterContext & { state: Readonly<Partial<AgentState>> },
  removed: readonly number[] = [],
): Promise<void> {
  const created = createdAgents(context.state);
  if (created.length === 0) return;
  const cluster = await requireLiteCluster(context);
  const isNew = (number: number) => created.some((agent) => agent.number === number);
  const stays = (number: number) => !isNew(number) && !removed.includes(number);
  const agents = [...cluster.agents.filter(({ number }) => stays(number)), ...created];
  const isRecorded = await context.liteClusters.update(
    cluster,
    {
      agents: agents.sort((a, b) => a.number - b.number),
      heldNumbers: [...cluster.heldNumbers.filter(stays), ...removed],
    },
    ['ACTIVE'],
  );
  if (!isRecorded) throw conflict('The cluster is being deleted.');
}
