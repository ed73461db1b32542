import type { JobType } from '@gateway/jobs';
import { connectToCluster } from '../clusters/connect-to-cluster.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { ClusterContext } from '../sagas/clusters/context.ts';

type ClusterJobType = Extract<JobType, 'lite.create' | 'lite.scale' | 'lite.delete'>;

/** What the steps of a job of a cluster work with. */
export function clusterContext<T extends ClusterJobType>(job: JobContext<T>): ClusterContext {
  const { worker, jobId, projectId, payload, logger, call, credentials } = job;
  const { clusters, config, gpuQuotas, serviceAccount, stopping } = worker;
  return {
    jobId,
    projectId,
    clusterId: payload.clusterId,
    config,
    logger,
    clusters,
    gpuQuotas,
    owner: () => credentials.owner,
    remover: () => credentials.remover,
    forcer: () => credentials.forcer(),
    person: () => credentials.person,
    service: () => serviceAccount.bind(call),
    kubernetes: (cluster) => connectToCluster(worker, cluster, stopping.signal),
  };
}
