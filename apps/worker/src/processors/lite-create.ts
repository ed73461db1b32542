import { isInterruption, type JobFailure } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { createLiteClusterSteps } from '../sagas/create-lite-cluster/index.ts';
import type { CreateLiteClusterContext, CreateLiteClusterState } from '../sagas/create-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';

type Job = JobContext<'lite.create'>;

export const liteClusterCreation = sagaProcessor<
  'lite.create',
  CreateLiteClusterContext,
  CreateLiteClusterState
>((job) => ({
  steps: createLiteClusterSteps,
  context: contextOf(job),
  ...liteClusterMessages(job, 'The cluster is ready.'),
  writes: {
    resource: 'lite_cluster',
    as: 'created',
    touches: ['instance', 'volume', 'port', 'floating_ip', 'security_group'],
  },
  recordOutcome: (failure, state) => recordOutcome(job, failure, state),
}));

function contextOf(job: Job): CreateLiteClusterContext {
  const { callbacks, kubeconfigRenewals } = job.worker;
  const { jobId, payload } = job;
  return {
    ...liteClusterContext(job),
    input: payload,
    endpoints: job.identity?.endpoints ?? null,
    callback: {
      open: (lifetimeSeconds) => callbacks.issueToken(jobId, lifetimeSeconds),
      read: () => callbacks.read(jobId),
      close: () => callbacks.close(jobId),
    },
    issueRenewalToken: () => kubeconfigRenewals.issueToken(payload.clusterId),
  };
}

/**
 * A failed cluster holds no resources any more. One of which nothing was made leaves no record, so that its
 * name is free. A cluster that is being deleted stays DELETED.
 */
async function recordOutcome(
  { call, worker, payload }: Job,
  failure: JobFailure | null,
  { securityGroupId }: Readonly<Partial<CreateLiteClusterState>>,
): Promise<void> {
  if (failure === null) return;
  const liteClusters = worker.liteClusters.forRun(call);
  const cluster = await liteClusters.read(payload.clusterId);
  if (cluster === null) return;
  if (isInterruption(failure)) {
    // The cluster may run: its users delete it.
    await liteClusters.update(cluster, { status: 'ERROR', statusReason: failure.detail }, ['CREATING']);
    return;
  }
  // Its security group is the first resource of a cluster.
  if (securityGroupId === undefined) await liteClusters.discard(cluster);
  const nothing = {
    serverVmId: null,
    serverIp: null,
    fixedIp: null,
    securityGroupId: null,
    credential: null,
    keyId: null,
    agents: [],
  };
  await liteClusters.update(cluster, { status: 'ERROR', statusReason: failure.detail, ...nothing }, [
    'CREATING',
  ]);
  await liteClusters.destroySecrets(cluster);
}
