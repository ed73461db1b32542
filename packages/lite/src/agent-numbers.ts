import type { LiteCluster, LiteClusterAgent } from './cluster.ts';
import { agentNodeName, type NamedLiteCluster } from './names.ts';

/** The maximum number of agents in a cluster. */
export const MAX_AGENTS = 10;

/**
 * The numbers of new agents: the lowest numbers that no agent has and whose node objects are known to
 * be deleted. While the node object of a name exists, a new node of that name would be rejected, or
 * treated as the old node: a rollback would then remove that.
 *
 * @param machines the names of the cluster's machines, which its record may not know
 */
export function nextAgentNumbers(
  cluster: NamedLiteCluster & Pick<LiteCluster, 'agents' | 'heldNumbers'>,
  count: number,
  machines: ReadonlySet<string>,
): number[] {
  const taken = new Set([...cluster.heldNumbers, ...cluster.agents.map(({ number }) => number)]);
  const numbers: number[] = [];
  for (let number = 1; numbers.length < count; number += 1)
    if (!taken.has(number) && !machines.has(agentNodeName(cluster, number))) numbers.push(number);
  return numbers;
}

/** The agents that a cluster loses when it is scaled down: the highest numbers, in descending order. */
export function agentsToRemove(
  { agents }: Pick<LiteCluster, 'agents'>,
  agentCount: number,
): LiteCluster['agents'] {
  const highestFirst = agents.toSorted((a, b) => b.number - a.number);
  return highestFirst.slice(0, Math.max(0, agents.length - agentCount));
}

/** The agent whose node has this name. */
export function findAgent(
  cluster: NamedLiteCluster & Pick<LiteCluster, 'agents'>,
  node: string,
): LiteClusterAgent | undefined {
  return cluster.agents.find(({ number }) => agentNodeName(cluster, number) === node);
}
