import { agentNodeName, KubernetesError, type LiteCluster } from '@gateway/lite';
import { ParkedError, type Step } from '../../saga/index.ts';
import { apiServerGraceMs } from './await-nodes.ts';
import type { LiteClusterContext } from './context.ts';

/**
 * A step that removes the node objects of agents whose servers are gone. Where the API server does not
 * respond as expected, it waits, parked, for some time; then the numbers stay held until the next change of
 * the cluster's nodes.
 */
export function removeHeldNodesStep<Context extends LiteClusterContext, State extends object>(
  name: string,
  when: NonNullable<Step<Context, State>['when']>,
): Step<Context, State> {
  return {
    name,
    when,
    onRepeat: 'idempotent',
    async run(context) {
      const { clusterId, config, liteClusters, since } = context;
      const cluster = await liteClusters.read(clusterId);
      // The deletion of a cluster removes its nodes.
      if (cluster?.status !== 'ACTIVE') return {};
      const { heldNumbers } = await releaseNumbers(context, cluster, cluster.heldNumbers);
      if (heldNumbers.length === 0 || Date.now() > since + apiServerGraceMs(config)) return {};
      throw new ParkedError(config.jobs.pollIntervalMs);
    },
  };
}

/**
 * Removes the node objects of agents whose servers are gone, and releases their numbers. Where the API server
 * cannot be reached, the numbers stay held. Returns the cluster as it is then.
 */
export async function releaseNumbers(
  context: LiteClusterContext,
  cluster: LiteCluster,
  numbers: readonly number[],
): Promise<LiteCluster> {
  const released: number[] = [];
  await withNodes(context, cluster, async (api) => {
    for (const number of numbers) {
      await api.deleteNode(agentNodeName(cluster, number));
      released.push(number);
    }
  });
  if (released.length === 0) return cluster;
  const change = ({ heldNumbers }: LiteCluster) => ({
    heldNumbers: heldNumbers.filter((number) => !released.includes(number)),
  });
  await context.liteClusters.update(cluster, change, ['ACTIVE']);
  return { ...cluster, ...change(cluster) };
}

/**
 * Drains the node of an agent until the deadline, and removes its object; returns whether the object is known
 * to be gone.
 */
export function drainAndRemoveNode(
  context: LiteClusterContext,
  cluster: LiteCluster,
  { number, deadline }: { number: number; deadline: number },
): Promise<boolean> {
  const name = agentNodeName(cluster, number);
  return withNodes(context, cluster, async (api) => {
    if (!(await api.drain(name, deadline))) {
      context.logger.warn('A node is removed before all of its pods have left', { node: name });
    }
    await api.deleteNode(name);
  });
}

type NodesApi = NonNullable<Awaited<ReturnType<LiteClusterContext['kubernetes']>>>;

/** Returns false if the API server cannot be reached or refuses; the servers are removed anyway. */
export async function withNodes(
  context: LiteClusterContext,
  cluster: LiteCluster,
  act: (api: NodesApi) => Promise<void>,
): Promise<boolean> {
  const api = await context.kubernetes(cluster);
  if (api === null) return false;
  try {
    await act(api);
    return true;
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    const { clusterId, logger } = context;
    logger.warn('The nodes of a cluster are left as they are: its API server does not respond as expected', {
      cluster_id: clusterId,
      reason: error.reason,
    });
    return false;
  } finally {
    api.close();
  }
}
