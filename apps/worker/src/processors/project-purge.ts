import { type Effect, resourcesOf } from '@gateway/activity';
import { forgetProject } from '@gateway/context';
import type { ResourceName } from '@gateway/core';
import { hasEnded, type PurgeMessage, readJob } from '@gateway/jobs';
import { PROJECT_RESOURCE_TYPES } from '@gateway/resources';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { purgeProjectSteps } from '../sagas/purge-project/index.ts';
import type { PurgeProjectContext, PurgeProjectState } from '../sagas/purge-project/saga.ts';

const TOUCHED: readonly ResourceName[] = [
  'load_balancer',
  'cluster',
  'lite_cluster',
  'container',
  'instance',
  'file_storage',
  'backup',
  'snapshot',
  'volume',
  'floating_ip',
  'router',
  'port',
  'network',
  'subnet',
  'security_group',
];

/** In the purged project, and in lists of the whole cloud. */
const WRITES: Effect = { resource: 'project', as: 'deleted', touches: TOUCHED };

/** Uses the rights of the administrator who sent the request. */
export const projectPurge = sagaProcessor<'project.purge', PurgeProjectContext, PurgeProjectState>(
  ({ credentials, logger, payload, worker }) => ({
    steps: purgeProjectSteps,
    context: {
      input: { ...payload, types: PROJECT_RESOURCE_TYPES.filter((type) => payload.types.includes(type)) },
      config: worker.config,
      logger,
      owner: () => credentials.owner,
      remover: () => credentials.ownerIn(payload.purgedProjectId),
      async hasJobEnded(id) {
        const job = await readJob(worker.redis.store, id);
        return job === null || hasEnded(job);
      },
      forgetProject: () => forgetProject(worker, payload.purgedProjectId),
    },
    message: (update, state, failure): PurgeMessage =>
      jobMessage(update, failure, {
        purged_project_id: payload.purgedProjectId,
        remaining: remainingIn(state),
      }),
    completed: 'The project and everything in it are removed.',
    writes: WRITES,
    alsoWrites: async () => ({
      projectId: payload.purgedProjectId,
      resources: resourcesOf([WRITES]),
    }),
  }),
);

function remainingIn({ planned, removed = {} }: Partial<PurgeProjectState>): PurgeMessage['remaining'] {
  if (planned === undefined) return null;
  const counts: Record<string, number> = {};
  for (const { type } of planned) if (!removed[type]) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
