import { conflict } from '@gateway/core';
import type { LiteCluster, LiteClusterAgent } from '@gateway/lite';
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
  const isRecorded = await context.liteClusters.update(
    cluster,
    ({ agents, heldNumbers }) => ({
      agents: inOrder([...agents.filter(({ number }) => stays(number)), ...created]),
      heldNumbers: [...heldNumbers.filter(stays), ...removed],
    }),
    ['ACTIVE'],
  );
  if (!isRecorded) throw conflict('wrong_state', 'The cluster is being deleted.');
}

/**
 * The opposite, for the rollback of a job that ended before it knew whether its write had arrived. Returns
 * the cluster as it is then.
 */
export async function withdrawAgents(
  { liteClusters }: LiteClusterContext,
  cluster: LiteCluster,
  numbers: readonly number[],
  restored: readonly LiteClusterAgent[],
): Promise<LiteCluster> {
  if (!cluster.agents.some(({ number }) => numbers.includes(number))) return cluster;
  const isRestored = (held: number) => restored.some(({ number }) => number === held);
  const change = ({ agents, heldNumbers }: LiteCluster) => ({
    agents: inOrder([...agents.filter(({ number }) => !numbers.includes(number)), ...restored]),
    heldNumbers: [...heldNumbers.filter((held) => !isRestored(held)), ...numbers],
  });
  await liteClusters.update(cluster, change, ['ACTIVE']);
  return { ...cluster, ...change(cluster) };
}

function inOrder(agents: LiteClusterAgent[]): LiteClusterAgent[] {
  return agents.toSorted((a, b) => a.number - b.number);
}
