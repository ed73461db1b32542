import type { JobType } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { resourceOwner } from '../jobs/resource-owner.ts';
import { connectToCluster } from '../lite-cluster-checks/connect-to-cluster.ts';
import type { LiteClusterContext } from '../sagas/lite-clusters/context.ts';

type ClusterJobType = Extract<
  JobType,
  'lite.create' | 'lite.credential' | 'lite.repair' | 'lite.scale' | 'lite.upgrade' | 'lite.delete'
>;

/** The dependencies of the steps of a cluster's job. */
export function liteClusterContext<T extends ClusterJobType>(job: JobContext<T>): LiteClusterContext {
  const { worker, jobId, projectId, payload, logger, call, credentials } = job;
  const { liteClusters, config, gpuQuotas, machineFailures, openstack, serviceAccount, stopping } = worker;
  return {
    jobId,
    projectId,
    clusterId: payload.clusterId,
    config,
    logger,
    liteClusters: liteClusters.forRun(call),
    gpuQuotas,
    resourceOwner: resourceOwner(job),
    owner: () => credentials.owner,
    remover: () => credentials.remover,
    ownerRemover: () => credentials.ownerIn(projectId),
    forcer: () => credentials.forcer(),
    undelegatedOwner: () => credentials.undelegatedOwner,
    service: () => serviceAccount.bind(call),
    logInWith: async (credential) =>
      openstack.as(await openstack.identity.authenticateApplicationCredential(credential, call), call),
    agentFailures: {
      issueToken: (lifetimeSeconds) => machineFailures.issueToken(jobId, lifetimeSeconds),
      read: (serverId) => machineFailures.read(jobId, serverId),
    },
    kubernetes: (cluster) => connectToCluster(worker, cluster, stopping.signal),
  };
}
