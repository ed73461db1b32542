import { updated } from '@gateway/activity';
import type { EvacuationMessage } from '@gateway/jobs';
import type { JobContext } from '../jobs/job-context.ts';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { evacuateHostSteps } from '../sagas/evacuate-host/index.ts';
import { stayedIn } from '../sagas/evacuate-host/left-instances.ts';
import type { EvacuateHostContext, EvacuateHostState, PlannedInstance } from '../sagas/evacuate-host/saga.ts';

/** Uses the rights of the administrator who sent the request. */
export const hostEvacuation = sagaProcessor<'host.evacuate', EvacuateHostContext, EvacuateHostState>(
  (job) => ({
    steps: evacuateHostSteps,
    context: {
      input: job.payload,
      config: job.worker.config,
      owner: () => job.credentials.owner,
      showChange: (instance) => showChange(job, instance),
    },
    message: (update, state, failure): EvacuationMessage =>
      jobMessage(update, failure, { hypervisor_id: job.payload.hypervisorId, ...progressOf(state) }),
    completed: ({ planned = [] }) =>
      `No instance is left on the host, which had ${planned.length}. It stays disabled.`,
    writes: { resource: 'hypervisor', as: 'updated' },
  }),
);

function progressOf(state: Partial<EvacuateHostState>) {
  const { left, moves = {}, planned } = state;
  const inPhase = (phase: string) => (planned ?? []).filter(({ id }) => moves[id]?.phase === phase);
  return {
    total: planned?.length ?? null,
    moved: inPhase('moved').length,
    moving: inPhase('requested').map(({ id, name }) => ({ id, name })),
    stayed: left ?? stayedIn(state),
  };
}

/** The project of the instance need not be that of the job. */
async function showChange(
  { jobId, logger, worker }: JobContext,
  { id, projectId }: PlannedInstance,
): Promise<void> {
  try {
    const resources = [updated('instance', id)];
    await worker.activity.written({ projectIds: [projectId], resources, userId: null, jobId }, logger);
  } catch (error) {
    logger.warn('The lists of a project do not show a moved instance', { error });
  }
}
