import type { Owner } from '../resources/owner.ts';
import type { BuildLibraryContext } from './saga.ts';

/** Everything that a build creates belongs to the service user's project. */
export const buildOwner: Owner<BuildLibraryContext> = {
  client: (context) => context.service(),
  async removal(context) {
    const client = await context.remover();
    return { remover: () => client, forcer: async () => client };
  },
  mark: async ({ jobId, serviceProjectId }) => ({ jobId, projectId: await serviceProjectId() }),
};
