import { type ClusterMessage, clusterCredentialProgress } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { replaceLiteCredentialSteps } from '../sagas/replace-lite-credential/index.ts';
import type {
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState,
} from '../sagas/replace-lite-credential/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteCredentialReplacement = sagaProcessor<
  'lite.credential',
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState
>((job) => ({
  steps: replaceLiteCredentialSteps,
  context: { ...liteClusterContext(job), input: job.payload },
  message: (update, _state, failure): ClusterMessage =>
    jobMessage(update, failure, { cluster_id: job.payload.clusterId }),
  completed: {
    step: 'completed',
    progress: clusterCredentialProgress.completed,
    message: 'The plugins of the cluster work with the new credential.',
  },
  failed: { step: 'failed', progress: clusterCredentialProgress.failed },
  changes: ['lite_cluster'],
  recordOutcome: (failure) => recordClusterChange(job, failure),
}));
