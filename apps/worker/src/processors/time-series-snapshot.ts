import { readJob, type SnapshotMessage } from '@gateway/jobs';
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
      requestedAt: async () => (await readJob(job.worker.redis.store, job.jobId))?.createdAt ?? 0,
      service: () => job.worker.serviceAccount.bind(job.call),
    },
    message: (update, _state, failure): SnapshotMessage => jobMessage(update, failure, {}),
    completed: ({ isTaken }) =>
      isTaken ? 'The resources are counted.' : 'The resources are not counted: it is another hour.',
    writes: [],
  }),
);
