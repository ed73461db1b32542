import type { LiteCluster } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { changeLiteClusterByJob } from './change-lite-cluster.ts';

/** Scales a cluster to this number of agents. Returns the cluster as it is then. */
export function scaleLiteClusterByJob(
  request: RequestContext,
  clusterId: string,
  agentCount: number,
): Promise<LiteCluster> {
  return changeLiteClusterByJob(request, clusterId, 'lite.scale', ({ agents }) =>
    agents.length === agentCount ? null : { clusterId, agentCount },
  );
}
