import { sleep } from '@gateway/core';
import { checkCluster } from '@gateway/kubernetes';
import { type Cluster, type ClusterHealth, judgeHealth, reachabilityOf, unknownHealth } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';
import { connectToCluster } from './connect-to-cluster.ts';

/** A check makes two requests at most. The lock of a worker that died is released after this many time limits. */
const LOCK_IN_TIME_LIMITS = 3;
const LOCK_POLL_MS = 100;

/**
 * Checks the health of an ACTIVE cluster and stores the result. One check of a cluster runs at a time: while another one
 * runs, its result is awaited instead.
 */
export async function checkHealth(worker: WorkerContext, cluster: Cluster): Promise<ClusterHealth> {
  const { clusterHealth, clusterHealthLock, config } = worker;
  const lockMs = LOCK_IN_TIME_LIMITS * config.lite.health.requestSeconds * 1000;
  const release = await clusterHealthLock.take(cluster.id, lockMs);
  if (release === null) return awaitOtherCheck(worker, cluster, Date.now() + lockMs);
  try {
    const result = await check(worker, cluster);
    await clusterHealth.put(result);
    return result;
  } finally {
    await release();
  }
}

async function awaitOtherCheck(
  { clusterHealth, clusterHealthLock, stopping }: WorkerContext,
  cluster: Cluster,
  deadline: number,
): Promise<ClusterHealth> {
  while (Date.now() < deadline && (await clusterHealthLock.isTaken(cluster.id))) {
    await sleep(LOCK_POLL_MS, stopping.signal);
  }
  return (await clusterHealth.get(cluster.id)) ?? unknownHealth(subjectOf(cluster));
}

async function check(worker: WorkerContext, cluster: Cluster): Promise<ClusterHealth> {
  const api = await connectToCluster(worker, cluster, worker.stopping.signal);
  if (api === null) return unknownHealth(subjectOf(cluster));
  try {
    const facts = await checkCluster(api);
    if (facts.problem !== null) {
      const level = facts.isCertificateExpired ? 'warn' : 'debug';
      worker.logger[level]('A cluster could not be checked completely', {
        cluster_id: cluster.id,
        problem: facts.problem,
      });
    }
    return judgeHealth(subjectOf(cluster), facts, Date.now());
  } finally {
    api.close();
  }
}

function subjectOf(cluster: Cluster) {
  return { id: cluster.id, name: cluster.name, reachability: reachabilityOf(cluster) };
}
