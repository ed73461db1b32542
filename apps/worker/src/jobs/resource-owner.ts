import type { ResourceOwner } from '../sagas/resources/resource-step.ts';
import type { JobContext } from './job-context.ts';

/** What the job creates belongs to the project and the user who started the job. */
export function resourceOwner({ credentials, jobId, projectId }: JobContext): ResourceOwner {
  return {
    client: async () => credentials.owner,
    removal: async () => ({ remover: () => credentials.remover, forcer: () => credentials.forcer() }),
    mark: async () => ({ jobId, projectId }),
  };
}
