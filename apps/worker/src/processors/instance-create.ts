import type { InstanceMessage } from '@gateway/jobs';
import { instanceProgress } from '@gateway/jobs';
import { asOwner, asRemover } from '../jobs/job-run.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { createInstanceSteps } from '../sagas/create-instance/index.ts';
import type { CreateInstanceContext, CreateInstanceState } from '../sagas/create-instance/saga.ts';

export const instanceCreation = sagaProcessor<'instance.create', CreateInstanceContext, CreateInstanceState>(
  (facts) => ({
    steps: createInstanceSteps(facts.payload),
    context: {
      jobId: facts.jobId,
      projectId: facts.projectId,
      input: facts.payload,
      config: facts.context.config,
      sealer: facts.context.sealer,
      owner: () => asOwner(facts),
      remover: () => asRemover(facts),
      service: () => facts.context.serviceAccount.bind(facts.call),
    },
    message: ({ step, progress, message }, state, failure): InstanceMessage => ({
      step: step as InstanceMessage['step'],
      progress,
      message,
      // A failed creation leaves no instance behind that could be named.
      instance_id: failure === undefined ? (state.serverId ?? null) : null,
      error: failure?.detail ?? null,
      ...(failure && { code: failure.code }),
    }),
    completed: { step: 'COMPLETED', progress: instanceProgress.COMPLETED, message: 'The instance is ready.' },
    failed: { step: 'FAILED', progress: instanceProgress.FAILED },
    changes: ['instance', 'volume', 'port', 'floating_ip', 'file_storage'],
  }),
);
