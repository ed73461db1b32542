import type { InstanceMessage } from '@gateway/jobs';
import { instanceProgress } from '@gateway/jobs';
import { asOwner, type JobRun } from '../job-run.ts';
import { runSagaJob } from '../run-saga-job.ts';
import { createInstanceSteps } from '../sagas/create-instance/index.ts';
import type { CreateInstanceContext, CreateInstanceState } from '../sagas/create-instance/saga.ts';

export async function processInstanceCreate(run: JobRun<'instance.create'>): Promise<void> {
  const { config } = run.context;
  const context: CreateInstanceContext = {
    jobId: run.jobId,
    projectId: run.projectId,
    input: run.payload,
    config,
    sealer: run.context.sealer,
    owner: () => asOwner(run),
    service: () => run.context.serviceAccount.bind(run.call),
  };
  await runSagaJob<'instance.create', CreateInstanceContext, CreateInstanceState>(run, {
    steps: createInstanceSteps,
    context,
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
    changes: ['instances', 'computeLimits', 'storageLimits'],
  });
}
