import { newId, sleep } from '@gateway/core';
import {
  agentNodeName,
  type CheckedLiteCluster,
  checkCluster,
  firstCertificateEnd,
  healthLockKey,
  isExpiring,
  judgeHealth,
  type LiteCluster,
  type LiteClusterHealth,
  pluginStatusAfter,
  reachabilityOf,
  unknownHealth,
  workloadQuery,
} from '@gateway/lite';
import { isLocked, releaseLock, takeLock } from '@gateway/store';
import type { WorkerContext } from '../context.ts';
import { connectToCluster, readKubeconfig } from './connect-to-cluster.ts';
import { reportCertificate } from './report-certificate.ts';

/**
 * A check takes two time limits of a request at most. The lock of a worker that died is released after this
 * many time limits.
 */
const LOCK_IN_TIME_LIMITS = 3;
const LOCK_POLL_MS = 100;

/**
 * Checks the health of an ACTIVE cluster and stores the result. One check of a cluster runs at a time: while
 * another one runs, its result is awaited instead.
 */
export async function checkHealth(worker: WorkerContext, cluster: LiteCluster): Promise<LiteClusterHealth> {
  const { liteClusterHealth, redis, config } = worker;
  const lockMs = LOCK_IN_TIME_LIMITS * config.lite.health.requestSeconds * 1000;
  const lock = { key: healthLockKey(cluster.id), holder: newId() };
  if (!(await takeLock(redis.store, lock, lockMs))) {
    return awaitOtherCheck(worker, cluster, Date.now() + lockMs);
  }
  try {
    const last = await liteClusterHealth.get(cluster.id);
    const result = await check(worker, cluster);
    await liteClusterHealth.put(result);
    await recordReached(worker, cluster, result);
    await recordPlugins(worker, cluster, result);
    warnOfCertificates(worker, last, result);
    await reportCertificate(worker, cluster, result);
    return result;
  } finally {
    await releaseLock(redis.store, lock);
  }
}

/**
 * The same after a change of the cluster's nodes, which a check that is already running may have missed.
 * Never throws.
 */
export async function checkHealthAfterChange(worker: WorkerContext, cluster: LiteCluster): Promise<void> {
  try {
    if (await isLocked(worker.redis.store, healthLockKey(cluster.id))) await checkHealth(worker, cluster);
    await checkHealth(worker, cluster);
  } catch (error) {
    worker.logger.warn('The health of a cluster could not be checked', { cluster_id: cluster.id, error });
  }
}

async function awaitOtherCheck(
  worker: WorkerContext,
  cluster: LiteCluster,
  deadline: number,
): Promise<LiteClusterHealth> {
  const { liteClusterHealth, redis, stopping } = worker;
  while (Date.now() < deadline && (await isLocked(redis.store, healthLockKey(cluster.id)))) {
    await sleep(LOCK_POLL_MS, stopping.signal);
  }
  return (await liteClusterHealth.get(cluster.id)) ?? unknownHealth(await subjectOf(worker, cluster));
}

/** The record says that the API server was not reached, until the first check that reaches it. */
async function recordReached(
  { liteClusters }: WorkerContext,
  cluster: LiteCluster,
  { api_server_reachable: isReached }: LiteClusterHealth,
): Promise<void> {
  if (!isReached || !cluster.isNeverReached) return;
  await liteClusters.update(cluster, { isNeverReached: false }, ['ACTIVE']);
}

/** The record shows the state of the plugins at the latest check. */
async function recordPlugins(
  { liteClusters, logger }: WorkerContext,
  cluster: LiteCluster,
  { plugins }: LiteClusterHealth,
): Promise<void> {
  const change = pluginStatusAfter(cluster, plugins);
  if (change === null) return;
  await liteClusters.update(cluster, change, ['ACTIVE']);
  logger.info('The state of the plugins of a cluster has changed', {
    cluster_id: cluster.id,
    plugins: change.pluginStatus,
  });
}

/** Warns once a day. */
function warnOfCertificates(
  { logger }: WorkerContext,
  last: LiteClusterHealth | null,
  result: LiteClusterHealth,
): void {
  const day = (health: LiteClusterHealth | null) => health?.checked_at?.slice(0, 'YYYY-MM-DD'.length);
  if (!isExpiring(result, Date.now()) || day(last) === day(result)) return;
  logger.warn('A certificate in the configuration file of a cluster ends soon', {
    cluster_id: result.cluster_id,
    ends_at: result.certificate_expires_at,
  });
}

async function check(worker: WorkerContext, cluster: LiteCluster): Promise<LiteClusterHealth> {
  const subject = await subjectOf(worker, cluster);
  const api = await connectToCluster(worker, cluster, worker.stopping.signal);
  if (api === null) return unknownHealth(subject);
  try {
    const facts = await checkCluster(api, workloadQuery(cluster.plugins));
    if (facts.problem !== null) {
      const level = facts.isCertificateExpired ? 'warn' : 'debug';
      worker.logger[level]('A cluster could not be checked completely', {
        cluster_id: cluster.id,
        problem: facts.problem,
      });
    }
    return judgeHealth(subject, facts, Date.now());
  } finally {
    api.close();
  }
}

async function subjectOf({ liteClusters }: WorkerContext, cluster: LiteCluster): Promise<CheckedLiteCluster> {
  const kubeconfig = await readKubeconfig(liteClusters, cluster);
  return {
    id: cluster.id,
    name: cluster.name,
    reachability: reachabilityOf(cluster),
    plugins: cluster.plugins,
    agentNodes: cluster.agents.map(({ number }) => agentNodeName(cluster, number)),
    ...(kubeconfig && { certificateExpiresAt: firstCertificateEnd(kubeconfig) }),
  };
}
