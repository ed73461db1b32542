import type { InstanceMessage } from '@gateway/jobs';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { deleteInstanceSteps } from '../sagas/delete-instance/index.ts';
import type { DeleteInstanceContext, DeleteInstanceState } from '../sagas/delete-instance/saga.ts';

const DONE = 100;

export const instanceDeletion = sagaProcessor<'instance.delete', DeleteInstanceContext, DeleteInstanceState>(
  (job) => ({
    steps: deleteInstanceSteps,
    context: {
      instanceId: job.payload.instanceId,
      config: job.worker.config,
      logger: job.logger,
      owner: () => job.credentials.owner,
      remover: () => job.credentials.remover,
      service: () => job.worker.serviceAccount.bind(job.call),
    },
    message: ({ step, progress, message }, _state, failure): InstanceMessage => ({
      step: step as InstanceMessage['step'],
      progress,
      message,
      instance_id: job.payload.instanceId,
      error: failure?.detail ?? null,
      ...(failure && { code: failure.code }),
    }),
    completed: {
      step: 'COMPLETED',
      progress: DONE,
      message: 'The instance and its resources are deleted.',
    },
    failed: { step: 'FAILED', progress: -1 },
    changes: ['instance', 'volume', 'port', 'floating_ip', 'file_storage'],
  }),
);
