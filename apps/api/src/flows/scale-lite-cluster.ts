import type { LiteCluster } from '@gateway/lite';
import { JobStream } from '../http/streams/event-streams.ts';
import type { RequestContext } from '../pipeline/request-context.ts';
import { changeLiteClusterByJob, startLiteClusterChange } from './change-lite-cluster.ts';

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

/** The same, followed from its beginning. A cluster that has this number of agents is not changed. */
export async function followLiteClusterScaling(
  request: RequestContext,
  clusterId: string,
  agentCount: number,
): Promise<JobStream> {
  await startLiteClusterChange(request, clusterId, 'lite.scale', () => ({ clusterId, agentCount }));
  return new JobStream(request.jobId, { resourceId: clusterId });
}
