import type { InstanceMessage } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { resourceOwner } from '../jobs/resource-owner.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { createInstanceSteps } from '../sagas/create-instance/index.ts';
import type { CreateInstanceContext, CreateInstanceState } from '../sagas/create-instance/saga.ts';

export const instanceCreation = sagaProcessor<'instance.create', CreateInstanceContext, CreateInstanceState>(
  (job) => ({
    steps: createInstanceSteps(job.payload),
    context: {
      jobId: job.jobId,
      projectId: job.projectId,
      input: job.payload,
      config: job.worker.config,
      sealer: job.worker.sealer,
      gpuQuotas: job.worker.gpuQuotas,
      resourceOwner: resourceOwner(job),
      owner: () => job.credentials.owner,
      remover: () => job.credentials.remover,
      forcer: () => job.credentials.forcer(),
      service: () => job.worker.serviceAccount.bind(job.call),
      firstBoot: {
        open: () => job.worker.firstBoots.issueToken(job),
        close: () => job.worker.firstBoots.remove(job),
      },
    },
    message: (update, state, failure): InstanceMessage =>
      jobMessage(update, failure, {
        // After a failure the instance does not exist.
        instance_id: failure === undefined ? (state.serverId ?? null) : null,
      }),
    completed: 'The instance is ready.',
    writes: {
      resource: 'instance',
      as: 'created',
      touches: ['volume', 'port', 'floating_ip', 'file_storage'],
    },
  }),
);
