import { conflict, derivedId, invalidInput } from '@gateway/core';
import { clusterSettings, enabledPlugins, type NewCluster } from '@gateway/lite';
import type { RequestContext } from '../pipeline/request-context.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';

export interface ClusterRequest {
  name: string;
  agentCount: number;
  agentFlavor: string | null;
  networkId: string | null;
  keyName: string | null;
}

/**
 * Writes the record of a cluster, and enqueues the job that creates the cluster. If the process dies in between, a
 * maintenance task of the workers removes the record.
 *
 * @throws 409 if the name is in use, 503 if the gateway is not configured for clusters or the job cannot be queued
 */
export async function startClusterCreation(request: RequestContext, asked: ClusterRequest): Promise<void> {
  const { app, jobId, requestId } = request;
  if (await joinExistingJob(request)) return;
  const { lite } = app.config;
  clusterSettings(app.config);
  const agentFlavor = asked.agentFlavor ?? lite.agentFlavor;
  if (agentFlavor === null) {
    throw invalidInput('Please name the flavor of the workers: this site has no default.', {
      errors: [{ field: 'body.agent_flavor_id', message: 'is required' }],
    });
  }
  const cluster = newCluster(request, asked, agentFlavor);
  if (!(await app.clusters.create(cluster))) {
    throw conflict(`The project has a cluster with the name "${asked.name}".`);
  }
  const { agentCount, keyName, name, networkId } = asked;
  const { roles } = request.caller.identity;
  const payload = {
    clusterId: cluster.id,
    name,
    agentCount,
    agentFlavor,
    networkId,
    keyName,
    roles,
  };
  try {
    await enqueueWithDelegation(
      request,
      (credential) =>
        app.producer.enqueue({
          type: 'lite.create',
          payload,
          credential,
          requestId,
          jobId,
          resourceId: cluster.id,
        }),
      // The control node alone may take half an hour.
      { outlivesToken: true },
    );
  } catch (error) {
    await discard(request, cluster);
    throw error;
  }
}

/** A repeat of the request gets the same id. */
function newCluster(
  { app, caller, jobId }: RequestContext,
  asked: ClusterRequest,
  agentFlavor: string,
): NewCluster {
  const { projectId, userId } = caller.identity;
  return {
    id: derivedId('lite-cluster', jobId),
    projectId,
    userId,
    name: asked.name,
    keyName: asked.keyName,
    networkId: asked.networkId,
    agentFlavorId: agentFlavor,
    creationJobId: jobId,
    plugins: enabledPlugins(app.config.lite.plugins),
    createdAt: app.clock.now(),
  };
}

/** The job of a creation that was refused does not run, and ends at once if it does without a record. */
async function discard({ app, logger }: RequestContext, cluster: NewCluster): Promise<void> {
  await app.clusters.discard(cluster).catch((error: unknown) => {
    logger.warn('The record of a cluster that was not created could not be removed yet', { error });
  });
}
