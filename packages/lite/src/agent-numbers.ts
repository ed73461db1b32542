import type { LiteCluster } from './cluster.ts';

/** The agents of one cluster. */
export const MAX_AGENTS = 10;

/**
 * The numbers of new workers: the lowest ones that no worker has, and whose node objects are known to be gone. A new node
 * would be refused, or taken for the old one, while the object of its name exists.
 */
export function nextAgentNumbers(
  { agents, heldNumbers }: Pick<LiteCluster, 'agents' | 'heldNumbers'>,
  count: number,
): number[] {
  const taken = new Set([...heldNumbers, ...agents.map(({ number }) => number)]);
  const numbers: number[] = [];
  for (let number = 1; numbers.length < count; number += 1) if (!taken.has(number)) numbers.push(number);
  return numbers;
}

/** The workers that a cluster loses when it is scaled down: the highest numbers, highest first. */
export function agentsToRemove(
  { agents }: Pick<LiteCluster, 'agents'>,
  agentCount: number,
): LiteCluster['agents'] {
  const highestFirst = agents.toSorted((a, b) => b.number - a.number);
  return highestFirst.slice(0, Math.max(0, agents.length - agentCount));
}
