import { conflict } from '@gateway/core';
import type { GpuQuotaStore } from '@gateway/inventory';
import type { KubernetesApi, LiteCluster, LiteClusterStore } from '@gateway/lite';
import type { ApplicationCredentialLogin, BoundClient, ProjectClient } from '@gateway/openstack';
import type { Config, Logger } from '@gateway/platform';
import type { ResourceContext } from '../resources/resource-step.ts';

/** The input and dependencies of the steps of all cluster sagas. */
export interface LiteClusterContext extends ResourceContext {
  jobId: string;
  projectId: string;
  clusterId: string;
  config: Config;
  logger: Logger;
  liteClusters: LiteClusterStore;
  gpuQuotas: GpuQuotaStore;
  /** The cloud with the rights of the job's owner. Calls throw once the owner's token has expired. */
  owner(): BoundClient;
  /** The cloud for finding and removing, with whichever rights still work; they may be an administrator's. */
  remover(): ProjectClient;
  /**
   * The owner's rights for removing. For requested removals, which only they allow, and for secrets: the key
   * manager shows those of another project to nobody, so that they would count as gone.
   */
  ownerRemover(): ProjectClient;
  /** The gateway's own user in the project, who may force a deletion; null if it is not an administrator. */
  forcer(): Promise<ProjectClient | null>;
  /**
   * The owner of the job without a delegation: the identity service refuses it for application credentials.
   */
  undelegatedOwner(): BoundClient;
  /** The cloud with the rights of the gateway's own user; null when there is none. */
  service(): Promise<BoundClient | null>;
  /** The cloud with an application credential. */
  logInWith(credential: ApplicationCredentialLogin): Promise<BoundClient>;
  /** The channel for failures of new agents. */
  agentFailures: {
    /** Issues a token for a new agent. */
    issueToken(lifetimeSeconds: number): Promise<string>;
    /** Stage and reason that the machine has reported; null without a failure. */
    read(serverId: string): Promise<string | null>;
  };
  /** The API server of the cluster; null before its address is known. Close it after use. */
  kubernetes(cluster: LiteCluster): Promise<KubernetesApi | null>;
}

/** @throws 409 if the cluster is being deleted */
export async function requireLiteCluster({
  liteClusters,
  clusterId,
}: LiteClusterContext): Promise<LiteCluster> {
  const cluster = await liteClusters.read(clusterId);
  if (cluster === null || cluster.status === 'DELETED')
    throw conflict('wrong_state', 'The cluster is being deleted.');
  return cluster;
}
