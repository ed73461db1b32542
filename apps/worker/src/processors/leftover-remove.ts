import type { LeftoverMessage } from '@gateway/jobs';
import { ownerReaders } from '@gateway/lite';
import { leftoverList } from '@gateway/resources';
import { jobMessage } from '../jobs/job-message.ts';
import { sagaProcessor } from '../jobs/saga-processor.ts';
import { removeLeftoverSteps } from '../sagas/remove-leftover/index.ts';
import type { RemoveLeftoverContext, RemoveLeftoverState } from '../sagas/remove-leftover/saga.ts';

/**
 * Removes with the administrator's rights only: the job is in their project, and the resource may be in any
 * project.
 */
export const leftoverRemoval = sagaProcessor<'leftover.remove', RemoveLeftoverContext, RemoveLeftoverState>(
  ({ credentials, payload, worker }) => ({
    steps: removeLeftoverSteps,
    context: {
      input: payload,
      config: worker.config,
      owners: ownerReaders(worker.redis.store, worker.liteClusters),
      owner: () => credentials.owner,
      remover: (projectId) => credentials.ownerIn(projectId),
    },
    message: (update, _state, failure): LeftoverMessage =>
      jobMessage(update, failure, {
        resource_type: payload.resourceType,
        resource_id: payload.resourceId,
      }),
    completed: 'The resource is removed.',
    writes: leftoverList.dependsOn.map((resource) => ({ resource, as: 'updated' })),
    alsoWrites: async () => ({
      projectId: payload.resourceProjectId,
      resources: leftoverList.dependsOn,
    }),
  }),
);
