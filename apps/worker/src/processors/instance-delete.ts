import type { InstanceMessage } from '@gateway/jobs';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { deleteInstanceSteps } from '../sagas/delete-instance/index.ts';
import type { DeleteInstanceContext, DeleteInstanceState } from '../sagas/delete-instance/saga.ts';

export const instanceDeletion = sagaProcessor<'instance.delete', DeleteInstanceContext, DeleteInstanceState>(
  (job) => ({
    steps: deleteInstanceSteps,
    context: {
      instanceId: job.payload.instanceId,
      server: job.payload.server,
      config: job.worker.config,
      logger: job.logger,
      owner: () => job.credentials.owner,
      remover: () => job.credentials.remover,
      forcer: () => job.credentials.forcer(),
      service: () => job.worker.serviceAccount.bind(job.call),
      removeFirstBoot: (jobId) => job.worker.firstBoots.remove({ projectId: job.projectId, jobId }),
    },
    message: (update, _state, failure): InstanceMessage =>
      jobMessage(update, failure, {
        instance_id: job.payload.instanceId,
      }),
    completed: 'The instance and its resources are deleted.',
    writes: {
      resource: 'instance',
      as: 'deleted',
      touches: ['volume', 'port', 'floating_ip', 'file_storage'],
    },
  }),
);
