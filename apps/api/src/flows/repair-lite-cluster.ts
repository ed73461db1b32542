import { invalidInput, notFound } from '@gateway/core';
import { findAgent, type LiteCluster, serverNodeName } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { changeLiteClusterByJob } from './change-lite-cluster.ts';

/**
 * Replaces a dead agent of a cluster by a new one. Returns the cluster as it is then.
 *
 * @throws 400 for the control node, 404 for a node that is none of the cluster's agents
 */
export function repairLiteClusterByJob(
  request: RequestContext,
  clusterId: string,
  { node, force }: { node: string; force: boolean },
): Promise<LiteCluster> {
  return changeLiteClusterByJob(request, clusterId, 'lite.repair', (cluster) => {
    requireAgent(cluster, node);
    return { clusterId, node, force };
  });
}

function requireAgent(cluster: LiteCluster, node: string): void {
  if (node === serverNodeName(cluster)) {
    throw invalidInput(
      'The control node cannot be replaced: it has the database of the cluster. If it does not start again, create a new cluster.',
      { errors: [{ field: 'body.node', message: 'is the control node' }] },
    );
  }
  if (findAgent(cluster, node) === undefined) throw notFound(`The cluster has no agent "${node}".`);
}
