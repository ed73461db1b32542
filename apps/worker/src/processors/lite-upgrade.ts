import { sagaProcessor } from '../jobs/saga-processor.ts';
import { upgradeLiteClusterSteps } from '../sagas/upgrade-lite-cluster/index.ts';
import type {
  UpgradeLiteClusterContext,
  UpgradeLiteClusterState,
} from '../sagas/upgrade-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteClusterUpgrade = sagaProcessor<
  'lite.upgrade',
  UpgradeLiteClusterContext,
  UpgradeLiteClusterState
>((job) => ({
  steps: upgradeLiteClusterSteps,
  context: { ...liteClusterContext(job), input: job.payload },
  ...liteClusterMessages(job, `The cluster has ${job.payload.version}.`),
  writes: { resource: 'lite_cluster', as: 'updated' },
  recordOutcome: (failure) => recordClusterChange(job, failure),
}));
