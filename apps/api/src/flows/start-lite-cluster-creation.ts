import { conflict, derivedId, forbidden, invalidInput } from '@gateway/core';
import {
  credentialMakerName,
  credentialRoles,
  enabledPlugins,
  liteClusterSettings,
  type NewLiteCluster,
  nodeNameOf,
  pluginsUseCredential,
} from '@gateway/lite';
import { type ApplicationCredentialLogin, type Identity, UpstreamError } from '@gateway/openstack';
import type { RequestContext } from '../pipeline/request-context.ts';
import { DELEGATION_LIFETIME_MS, enqueueWithDelegation } from './enqueue-with-delegation.ts';
import { joinExistingJob } from './join-existing-job.ts';

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
 * @throws 409 if the name is in use, 503 if the gateway is not configured for clusters or the job cannot be
 * queued
 */
export async function startLiteClusterCreation(
  request: RequestContext,
  asked: LiteClusterRequest,
): Promise<void> {
  const { app, jobId, requestId } = request;
  if (await joinExistingJob(request)) return;
  const { lite } = app.config;
  liteClusterSettings(app.config);
  const agentFlavor = asked.agentFlavor ?? lite.agentFlavor;
  if (agentFlavor === null) {
    throw invalidInput('Please name the flavor of the agents: this site has no default.', {
      errors: [{ field: 'body.agent_flavor_id', message: 'is required' }],
    });
  }
  const cluster = newCluster(request, asked, agentFlavor);
  if (!(await app.liteClusters.create(cluster))) {
    throw await nameInUse(request, asked.name);
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
    const credentialMaker = await createCredentialMaker(request, cluster);
    try {
      await enqueueWithDelegation(request, (credential) =>
        app.producer.enqueue({
          type: 'lite.create',
          payload,
          credential: { ...credential, ...(credentialMaker && { credentialMaker }) },
          requestId,
          jobId,
          resourceId: cluster.id,
        }),
      );
    } catch (error) {
      if (credentialMaker !== null) void removeCredentialMaker(request, credentialMaker);
      throw error;
    }
  } catch (error) {
    await discard(request, cluster);
    throw error;
  }
}

/**
 * The credential with which the job later creates the credential of the plugins, which is limited to a key
 * that does not exist yet. By then the user may have logged out or changed their password. Null if no plugin
 * calls the cloud.
 */
async function createCredentialMaker(
  { app, caller, requestId }: RequestContext,
  cluster: NewLiteCluster,
): Promise<ApplicationCredentialLogin | null> {
  if (!pluginsUseCredential(cluster.plugins)) return null;
  const { identity } = caller;
  const roles = credentialRoles(identity.roles, app.config.identity.adminRole);
  try {
    return await app.credentialMakers.create(
      identity,
      {
        name: credentialMakerName(cluster),
        description: `Creation of the cluster ${cluster.name}`,
        roles,
        expiresAt: new Date(app.clock.now() + DELEGATION_LIFETIME_MS).toISOString(),
      },
      { requestId },
    );
  } catch (error) {
    throw explained(error, identity);
  }
}

async function removeCredentialMaker(
  { app, caller, logger, requestId }: RequestContext,
  maker: ApplicationCredentialLogin,
): Promise<void> {
  await app.credentialMakers.remove(maker, caller.identity, { requestId }).catch((error: unknown) => {
    logger.warn('Failed to remove an unused application credential; it expires by itself', { error });
  });
}

async function nameInUse({ app, caller }: RequestContext, name: string): Promise<Error> {
  const clusters = await app.liteClusters.readOpenOfProject(caller.identity.projectId);
  const open = clusters.map((cluster) => cluster.name);
  const other = open.find((one) => one !== name && nodeNameOf(one) === nodeNameOf(name));
  if (other === undefined || open.includes(name))
    return conflict(`The project has a cluster with the name "${name}".`);
  return conflict(`The nodes would have the same names as those of the project's cluster "${other}".`);
}

/** A repeat of the request gets the same id. */
function newCluster(
  { app, caller, jobId }: RequestContext,
  asked: LiteClusterRequest,
  agentFlavor: string,
): NewLiteCluster {
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

/** Removes the record of a refused creation. Its job does not run; without a record it would end at once. */
async function discard({ app, logger }: RequestContext, cluster: NewLiteCluster): Promise<void> {
  await app.liteClusters.discard(cluster).catch((error: unknown) => {
    logger.warn('The record of a cluster that was not created could not be removed yet', { error });
  });
}

/**
 * Why the identity service refuses the credential: a token of an application credential, or roles of single
 * sign-on.
 */
function explained(error: unknown, { origin }: Identity): unknown {
  if (!(error instanceof UpstreamError) || ![400, 403].includes(error.upstreamStatus ?? 0)) return error;
  const cause = REFUSALS[origin ?? 'other'];
  return forbidden(
    `The plugins of a cluster need an application credential of yours, which the identity service refuses: ${cause}`,
    { cause: error, upstream: error.upstream },
  );
}

const REFUSALS: Record<NonNullable<Identity['origin']> | 'other', string> = {
  application_credential:
    'the token is itself of an application credential, which may not create others. Please use the token of a log-in.',
  trust: 'the token is of a trust, which may not create any. Please use the token of a log-in.',
  single_sign_on:
    'your roles come from single sign-on. Please ask an administrator to assign you a role in the project.',
  other: 'please ask an administrator whether users may create application credentials.',
};
