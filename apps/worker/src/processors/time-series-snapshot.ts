import type { SnapshotMessage } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import {
  type SnapshotContext,
  type SnapshotState,
  takeSnapshotsSteps,
} from '../sagas/take-snapshots/index.ts';

/** Uses the rights of the gateway's own user. */
export const timeSeriesSnapshot = sagaProcessor<'timeseries.snapshot', SnapshotContext, SnapshotState>(
  (job) => ({
    steps: takeSnapshotsSteps,
    context: {
      hour: job.payload.hour,
      config: job.worker.config,
      timeSeries: job.worker.timeSeries,
      service: () => job.worker.serviceAccount.bind(job.call),
    },
    message: (update, _state, failure): SnapshotMessage => jobMessage(update, failure, {}),
    completed: 'The resources are counted.',
    writes: [],
  }),
);
