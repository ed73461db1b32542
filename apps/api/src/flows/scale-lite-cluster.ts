import { conflict, GatewayError } from '@gateway/core';
import { awaitJob, failureError, readExclusiveJob } from '@gateway/jobs';
import { type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { getOwnLiteCluster } from '../resources/own-lite-cluster.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';

/**
 * Scales a cluster to this number of agents, and waits for the end of the scaling. Returns the cluster as it
 * is then.
 *
 * @throws 400 if the cluster is not ACTIVE, 409 if another operation is running on it, 504 with the id of the
 * job if the scaling takes longer than the time limit
 */
export async function scaleLiteClusterByJob(
  request: RequestContext,
  clusterId: string,
  agentCount: number,
): Promise<LiteCluster> {
  const cluster = await getOwnLiteCluster(request, clusterId);
  if (cluster.status !== 'ACTIVE') {
    throw new GatewayError(400, 'cluster_not_active', `The cluster is ${cluster.status}, not ACTIVE.`);
  }
  await requireIdle(request, clusterId);
  // Read again: a scaling may have ended since the record was read.
  const current = await getOwnLiteCluster(request, clusterId);
  if (current.agents.length === agentCount) return current;
  await runScaling(request, clusterId, agentCount);
  return getOwnLiteCluster(request, clusterId);
}

const BUSY = 'Another operation is running on the cluster.';

async function requireIdle({ app }: RequestContext, clusterId: string): Promise<void> {
  const running = await readExclusiveJob(app.redis.store, liteClusterSubject(clusterId));
  if (running !== null) throw conflict(BUSY, { jobId: running.id });
}

/** @throws the job's failure */
async function runScaling(request: RequestContext, clusterId: string, agentCount: number): Promise<void> {
  const { app, jobId, requestId } = request;
  await enqueueWithDelegation(request, (credential) =>
    app.producer.enqueue({
      type: 'lite.scale',
      payload: { clusterId, agentCount },
      credential,
      requestId,
      jobId,
      resourceId: clusterId,
      exclusive: { subject: liteClusterSubject(clusterId), refusal: BUSY },
    }),
  );
  const record = await awaitJob(app.redis.store, app.relay, jobId, {
    timeoutMs: app.config.timeLimits.liteScaleSeconds * 1000,
    signal: app.waitAbort.signal,
  });
  if (record === null) {
    throw new GatewayError(504, 'timeout', 'The cluster is still being scaled. The job continues.', {
      jobId,
    });
  }
  if (record.failure !== null) throw failureError(record.failure, jobId);
}
