import { conflict, GatewayError } from '@gateway/core';
import { awaitJob } from '@gateway/jobs';
import { type LiteCluster, type LiteClusterHealth, reachabilityOf, unknownHealth } from '@gateway/lite';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnLiteCluster } from '../../resources/own-lite-cluster.ts';

type ClusterRequest = RequestContext<{ cluster_id: string }>;

/** A check takes two time limits of a request at most. It may also wait for another check and for a slot. */
const WAIT_IN_TIME_LIMITS = 6;

export async function listClusterHealth({ app, caller }: RequestContext): Promise<LiteClusterHealth[]> {
  const clusters = await app.liteClusters.readOpenOfProject(caller.identity.projectId);
  const active = clusters.filter(({ status }) => status === 'ACTIVE');
  const results = await app.liteClusterHealth.getMany(active.map(({ id }) => id));
  return active.map((cluster) => results.get(cluster.id) ?? unknown(cluster));
}

export async function getClusterHealth(request: ClusterRequest): Promise<LiteClusterHealth> {
  const cluster = await getOwnLiteCluster(request, request.params.cluster_id);
  const result = cluster.status === 'ACTIVE' ? await request.app.liteClusterHealth.get(cluster.id) : null;
  return result ?? unknown(cluster);
}

/** A worker runs the check: only workers connect to clusters. */
export async function checkClusterHealth(request: ClusterRequest): Promise<LiteClusterHealth> {
  const { app, caller, requestId } = request;
  const cluster = await getOwnLiteCluster(request, request.params.cluster_id);
  if (cluster.status !== 'ACTIVE') {
    throw conflict('wrong_state', `Only an ACTIVE cluster can be checked: this one is ${cluster.status}.`);
  }
  const jobId = await app.producer.enqueueWithoutCredential(
    { type: 'lite.health', payload: { clusterId: cluster.id }, requestId },
    caller.identity,
  );
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: WAIT_IN_TIME_LIMITS * app.config.lite.health.requestSeconds * 1000,
    signal: app.waitAbort.signal,
  });
  if (record === null) throw new GatewayError(504, 'timeout', 'The check did not end in time.');
  return getClusterHealth(request);
}

function unknown(cluster: LiteCluster): LiteClusterHealth {
  return unknownHealth({ id: cluster.id, name: cluster.name, reachability: reachabilityOf(cluster) });
}
