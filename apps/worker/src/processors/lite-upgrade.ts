import { type ClusterMessage, clusterUpgradeProgress } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { upgradeLiteClusterSteps } from '../sagas/upgrade-lite-cluster/index.ts';
import type {
  UpgradeLiteClusterContext,
  UpgradeLiteClusterState,
} from '../sagas/upgrade-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteClusterUpgrade = sagaProcessor<
  'lite.upgrade',
  UpgradeLiteClusterContext,
  UpgradeLiteClusterState
>((job) => ({
  steps: upgradeLiteClusterSteps,
  context: { ...liteClusterContext(job), input: job.payload },
  message: (update, _state, failure): ClusterMessage =>
    jobMessage(update, failure, { cluster_id: job.payload.clusterId }),
  completed: {
    step: 'completed',
    progress: clusterUpgradeProgress.completed,
    message: `The cluster has ${job.payload.version}.`,
  },
  failed: { step: 'failed', progress: clusterUpgradeProgress.failed },
  changes: ['lite_cluster'],
  recordOutcome: (failure) => recordClusterChange(job, failure),
}));
