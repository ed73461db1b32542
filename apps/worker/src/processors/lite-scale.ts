import { sagaProcessor } from '../jobs/saga-processor.ts';
import { scaleLiteClusterSteps } from '../sagas/scale-lite-cluster/index.ts';
import type { ScaleLiteClusterContext, ScaleLiteClusterState } from '../sagas/scale-lite-cluster/saga.ts';
import { liteClusterContext } from './lite-cluster-context.ts';
import { liteClusterMessages } from './lite-cluster-messages.ts';
import { recordClusterChange } from './record-cluster-change.ts';

export const liteClusterScaling = sagaProcessor<'lite.scale', ScaleLiteClusterContext, ScaleLiteClusterState>(
  (job) => ({
    steps: scaleLiteClusterSteps,
    context: {
      ...liteClusterContext(job),
      input: job.payload,
    },
    ...liteClusterMessages(job, 'The cluster has the requested number of workers.'),
    writes: { resource: 'lite_cluster', as: 'updated', touches: ['instance', 'volume', 'port'] },
    recordOutcome: (failure) => recordClusterChange(job, failure),
  }),
);
