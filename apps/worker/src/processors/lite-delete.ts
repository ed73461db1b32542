import { hasEnded, type Leftover, readExclusiveJob, readJob, requestCancel, resumeJob } from '@gateway/jobs';
import { describeKeptStorage, type LiteCluster, liteClusterSubject } from '@gateway/lite';
import type { WorkerContext } from '../context.ts';
import type { JobContext } from '../jobs/job-context.ts';
import type { Processor } from '../jobs/processor.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { leftoversIn } from '../sagas/delete-lite-cluster/describe-rest.ts';
import { deleteLiteClusterSteps } from '../sagas/delete-lite-cluster/index.ts';
import type { DeleteLiteClusterContext, DeleteLiteClusterState } from '../sagas/delete-lite-cluster/saga.ts';
import { isUnsearched } from '../sagas/resources/searches.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';

type Job = JobContext<'lite.delete'>;

const deletion = sagaProcessor<'lite.delete', DeleteLiteClusterContext, DeleteLiteClusterState>((job) => ({
  steps: deleteLiteClusterSteps,
  context: {
    ...liteClusterContext(job),
    requesterId: job.identity?.userId ?? null,
    stopOtherJobs: (cluster) => stopOtherJobs(job.worker, cluster),
    describeRest: (leftovers) => describeRest(job, leftovers),
  },
  ...liteClusterMessages(job, 'The cluster and its resources are deleted.'),
  writes: {
    resource: 'lite_cluster',
    as: 'deleted',
    touches: ['instance', 'volume', 'port', 'floating_ip', 'security_group', 'load_balancer'],
  },
  hasChangedNothing: ({ cluster }) => cluster === null,
  recordOutcome: (_failure, state) => recordRest(job, leftoversIn(state)),
}));

export const liteClusterDeletion: Processor<'lite.delete'> = {
  // The request has taken effect already, so the job never rolls back because of a fault.
  run: (run) => deletion.run({ ...run, abortReason: null }),
  async sweep(job, log) {
    const outcome = await deletion.sweep?.(job, log);
    if (outcome === undefined) throw new Error('A saga can be swept.');
    await recordRest(job, outcome.leftovers);
    return outcome;
  },
};

/** Cancels the creation of a cluster and the change in progress; returns whether both have ended. */
async function stopOtherJobs(worker: WorkerContext, cluster: LiteCluster): Promise<boolean> {
  const { logger, queues, redis } = worker;
  const others = await Promise.all([
    readJob(redis.store, cluster.creationJobId),
    readExclusiveJob(redis.store, liteClusterSubject(cluster.id)),
  ]);
  const running = others.filter((job) => job !== null && !hasEnded(job));
  for (const job of running) {
    if (job === null || job.cancelRequested) continue;
    await requestCancel(redis.store, job.id);
    await resumeJob(redis.store, queues, job).catch((error: unknown) => {
      logger.debug('A cancelled job could not be resumed; it notices by itself', { job_id: job.id, error });
    });
  }
  return running.length === 0;
}

/**
 * Writes only the message about what is left at the moment.
 *
 * @throws SupersededError in a process that was frozen while another one ended the job
 */
async function describeRest({ call, payload, worker }: Job, leftovers: readonly Leftover[]): Promise<void> {
  const liteClusters = worker.liteClusters.forRun(call);
  const cluster = await liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  const statusReason = reasonOf(leftovers, cluster);
  if (statusReason !== cluster.statusReason) await liteClusters.updateDeleted(cluster, { statusReason });
}

/** The record lists what still exists, with a message about it. Throws as `describeRest` does. */
async function recordRest({ call, payload, worker }: Job, leftovers: readonly Leftover[]): Promise<void> {
  const liteClusters = worker.liteClusters.forRun(call);
  const cluster = await liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  const isLeft = (id: string | undefined | null) => leftovers.some((left) => left.id === id);
  await liteClusters.updateDeleted(cluster, {
    statusReason: reasonOf(leftovers, cluster),
    agents: cluster.agents.filter(({ vmId }) => isLeft(vmId)),
    serverVmId: isLeft(cluster.serverVmId) ? cluster.serverVmId : null,
    securityGroupId: isLeft(cluster.securityGroupId) ? cluster.securityGroupId : null,
    credential: isLeft(cluster.credential?.id) ? cluster.credential : null,
    keyId: isLeft(cluster.keyId) ? cluster.keyId : null,
  });
  if (leftovers.length === 0) await liteClusters.finishRemoval(cluster, Date.now());
}

function reasonOf(leftovers: readonly Leftover[], { keptStorage }: LiteCluster): string | null {
  const sentences = [describeLeftovers(leftovers), keptStorage && describeKeptStorage(keptStorage)];
  return sentences.filter(Boolean).join(' ') || null;
}

function describeLeftovers(leftovers: readonly Leftover[]): string | null {
  if (leftovers.length === 0) return null;
  const titleOf = ({ type }: Leftover) => type.replaceAll('_', ' ');
  const known = leftovers.filter((left) => !isUnsearched(left));
  const unsearched = leftovers.filter(isUnsearched);
  const sentences = [
    known.length > 0 &&
      `Some resources could not be deleted yet: ${known.map((left) => `${titleOf(left)} ${left.id}`).join(', ')}.`,
    ...unsearched.map(
      (left) => `${capitalized(titleOf(left))}s could not be searched for yet: ${left.reason}`,
    ),
    'The gateway tries again until they are gone.',
  ];
  return sentences.filter(Boolean).join(' ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
