import { sagaProcessor } from '../jobs/saga-processor.ts';
import { replaceLiteCredentialSteps } from '../sagas/replace-lite-credential/index.ts';
import type {
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState,
} from '../sagas/replace-lite-credential/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteCredentialReplacement = sagaProcessor<
  'lite.credential',
  ReplaceLiteCredentialContext,
  ReplaceLiteCredentialState
>((job) => ({
  steps: replaceLiteCredentialSteps,
  context: { ...liteClusterContext(job), input: job.payload },
  ...liteClusterMessages(job, 'The plugins of the cluster work with the new credential.'),
  writes: { resource: 'lite_cluster', as: 'updated' },
  recordOutcome: (failure) => recordClusterChange(job, failure),
}));
