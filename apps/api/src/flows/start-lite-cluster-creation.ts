import { conflict, derivedId, invalidInput } from '@gateway/core';
import {
  enabledPlugins,
  liteClusterSettings,
  type NewLiteCluster,
  nodeNameOf,
  pluginsUseCredential,
} from '@gateway/lite';
import type { ApplicationCredentialLogin } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { checkLiteClusterCreation } from './check-lite-cluster-creation.ts';
import { enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';
import { withCredentialMaker } from './with-credential-maker.ts';

interface LiteClusterRequest {
  name: string;
  agentCount: number;
  agentFlavor: string | null;
  networkId: string | null;
  keyName: string | null;
}

/**
 * Writes the record of a cluster, and enqueues the job that creates the cluster. If the process dies in
 * between, a maintenance task of the workers removes the record.
 *
 * @returns the id of the cluster
 * @throws as `checkLiteClusterCreation`; 409 if the name is in use; 503 if the gateway is not configured for
 * clusters or the job cannot be queued
 */
export async function startLiteClusterCreation(
  request: RequestContext,
  asked: LiteClusterRequest,
): Promise<string> {
  const { app, jobId } = request;
  // A repeat of the request gets the same id.
  const clusterId = derivedId('lite-cluster', jobId);
  if (await joinExistingJob(request)) return clusterId;
  const { lite } = app.config;
  liteClusterSettings(app.config);
  const agentFlavor = asked.agentFlavor ?? lite.agentFlavor;
  if (agentFlavor === null) {
    throw invalidInput('Please name the flavor of the agents: this site has no default.', {
      errors: [{ field: 'body.agent_flavor_id', message: 'is required' }],
    });
  }
  const cluster = newCluster(request, clusterId, asked, agentFlavor);
  await checkLiteClusterCreation(request, cluster, { ...asked, agentFlavor });
  if (!(await app.liteClusters.create(cluster))) {
    throw await nameInUse(request, asked.name);
  }
  const { agentCount, keyName, name, networkId } = asked;
  const { roles } = request.caller.identity;
  const payload = {
    clusterId,
    name,
    agentCount,
    agentFlavor,
    networkId,
    keyName,
    roles,
  };
  try {
    const enqueue = (maker?: ApplicationCredentialLogin) =>
      enqueueWithDelegation(
        request,
        { type: 'lite.create', payload, resourceId: clusterId, resourceName: name },
        { maker },
      );
    if (pluginsUseCredential(cluster.plugins)) await withCredentialMaker(request, cluster, enqueue);
    else await enqueue();
    return clusterId;
  } catch (error) {
    await discard(request, cluster);
    throw error;
  }
}

async function nameInUse({ app, caller }: RequestContext, name: string): Promise<Error> {
  const clusters = await app.liteClusters.readOpenOfProject(caller.identity.projectId);
  const open = clusters.map((cluster) => cluster.name);
  const other = open.find((one) => one !== name && nodeNameOf(one) === nodeNameOf(name));
  if (other === undefined || open.includes(name))
    return conflict('name_taken', `The project has a cluster with the name "${name}".`, { params: { name } });
  return conflict(
    'name_taken',
    `The nodes would have the same names as those of the project's cluster "${other}".`,
  );
}

function newCluster(
  { app, caller, jobId }: RequestContext,
  id: string,
  asked: LiteClusterRequest,
  agentFlavor: string,
): NewLiteCluster {
  const { projectId, userId } = caller.identity;
  return {
    id,
    projectId,
    userId,
    name: asked.name,
    keyName: asked.keyName,
    networkId: asked.networkId,
    agentFlavorId: agentFlavor,
    creationJobId: jobId,
    // The job looks up whether the flavors have GPUs.
    plugins: enabledPlugins(app.config.lite.plugins, { hasGpus: false }),
    createdAt: app.clock.now(),
  };
}

/** Removes the record of a refused creation. Its job does not run; without a record it would end at once. */
async function discard({ app, logger }: RequestContext, cluster: NewLiteCluster): Promise<void> {
  await app.liteClusters.discard(cluster).catch((error: unknown) => {
    logger.warn('The record of a cluster that was not created could not be removed yet', { error });
  });
}
