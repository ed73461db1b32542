import type { InstanceMessage } from '@gateway/jobs';
import { asOwner, asRemover } from '../jobs/job-run.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { deleteInstanceSteps } from '../sagas/delete-instance/index.ts';
import type { DeleteInstanceContext, DeleteInstanceState } from '../sagas/delete-instance/saga.ts';

const DONE = 100;

export const instanceDeletion = sagaProcessor<'instance.delete', DeleteInstanceContext, DeleteInstanceState>(
  (facts) => ({
    steps: deleteInstanceSteps,
    context: {
      instanceId: facts.payload.instanceId,
      config: facts.context.config,
      logger: facts.logger,
      owner: () => asOwner(facts),
      remover: () => asRemover(facts),
      service: () => facts.context.serviceAccount.bind(facts.call),
    },
    message: ({ step, progress, message }, _state, failure): InstanceMessage => ({
      step: step as InstanceMessage['step'],
      progress,
      message,
      instance_id: facts.payload.instanceId,
      error: failure?.detail ?? null,
      ...(failure && { code: failure.code }),
    }),
    completed: {
      step: 'COMPLETED',
      progress: DONE,
      message: 'The instance and what belonged to it are gone.',
    },
    failed: { step: 'FAILED', progress: -1 },
    changes: ['instance', 'volume', 'port', 'floating_ip', 'file_storage'],
  }),
);
