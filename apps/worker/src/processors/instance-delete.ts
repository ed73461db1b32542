import type { InstanceMessage } from '@gateway/jobs';
import { asOwner, type JobRun } from '../job-run.ts';
import { runSagaJob } from '../run-saga-job.ts';
import { deleteInstanceSteps } from '../sagas/delete-instance/index.ts';
import type { DeleteInstanceContext, DeleteInstanceState } from '../sagas/delete-instance/saga.ts';

const DONE = 100;

export async function processInstanceDelete(run: JobRun<'instance.delete'>): Promise<void> {
  const { instanceId } = run.payload;
  const context: DeleteInstanceContext = {
    instanceId,
    config: run.context.config,
    logger: run.logger,
    owner: () => asOwner(run),
    service: () => run.context.serviceAccount.bind(run.call),
  };
  await runSagaJob<'instance.delete', DeleteInstanceContext, DeleteInstanceState>(run, {
    steps: deleteInstanceSteps,
    context,
    message: ({ step, progress, message }, _state, failure): InstanceMessage => ({
      step: step as InstanceMessage['step'],
      progress,
      message,
      instance_id: instanceId,
      error: failure?.detail ?? null,
      ...(failure && { code: failure.code }),
    }),
    completed: {
      step: 'COMPLETED',
      progress: DONE,
      message: 'The instance and what belonged to it are gone.',
    },
    failed: { step: 'FAILED', progress: -1 },
    leftovers: ({ leftovers }) => leftovers ?? [],
    changes: ['instances', 'computeLimits', 'storageLimits'],
  });
}
