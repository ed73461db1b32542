import { agentNodeName, type KubernetesApi, KubernetesError, type LiteCluster } from '@gateway/lite';
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
 * Drains a node until the deadline, before its machine is removed. Returns false if the API server cannot be
 * reached or refuses: then the node is not cordoned.
 */
export function drainNode(
  context: LiteClusterContext,
  cluster: LiteCluster,
  { node, deadline }: { node: string; deadline: number },
): Promise<boolean> {
  return withNodes(context, cluster, async (api) => {
    if (await api.drain(node, deadline, context.jobId)) return;
    context.logger.warn('A node is removed before all of its pods have left', { node });
  });
}

/** Returns false if the API server cannot be reached or refuses; the servers are removed anyway. */
export async function withNodes(
  context: LiteClusterContext,
  cluster: LiteCluster,
  act: (api: KubernetesApi) => Promise<void>,
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

/** For what a rollback undoes in a cluster: one that is being deleted, or has no address, needs nothing. */
export async function inActiveCluster(
  context: LiteClusterContext,
  act: (api: KubernetesApi, cluster: LiteCluster) => Promise<void>,
): Promise<void> {
  const cluster = await context.liteClusters.read(context.clusterId);
  if (cluster?.status !== 'ACTIVE') return;
  const api = await context.kubernetes(cluster);
  if (api === null) return;
  try {
    await act(api, cluster);
  } finally {
    api.close();
  }
}
