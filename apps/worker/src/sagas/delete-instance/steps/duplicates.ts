import { JOB_METADATA_KEY } from '@gateway/core';
import { instanceDeletionProgress, type Leftover } from '@gateway/jobs';
import { knownMarks, type ServerRecord } from '@gateway/openstack';
import { removeAll } from '../../resources/remove-all.ts';
import { Searches } from '../../resources/searches.ts';
import { parkOnce } from '../../resources/wait-options.ts';
import { serverRemoval } from '../removals.ts';
import { type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/** How long the other removals wait for a service that does not respond. */
const PATIENCE_MS = 10_000;

/**
 * Finds the servers that a late call of the creation has made beside this one. The list is slow in a project
 * with many servers of one name, so it comes after the compute service has accepted the deletion. While it
 * fails, the other removals continue, and sweeps search again.
 */
export const findDuplicateServers = defineDeleteStep<{ duplicateIds: string[]; duplicatesLeft: Leftover[] }>({
  name: 'duplicates',
  beginUpdate: {
    step: 'RESOURCES_DELETING',
    progress: instanceDeletionProgress.RESOURCES_DELETING,
    message: 'What belonged to the server is being deleted.',
  },
  async run(context) {
    // This request has its answer now. Others wait for theirs, and the next calls can take seconds.
    parkOnce(context);
    const searches = new Searches(context);
    const duplicateIds = await searches.of('server', () => findDuplicates(context), []);
    searches.retryFor(PATIENCE_MS);
    return { duplicateIds, duplicatesLeft: searches.left };
  },
  leftovers: ({ duplicatesLeft = [] }) => duplicatesLeft,
  async sweep(context, result) {
    const searches = new Searches(context);
    const found = await searches.of('server', () => findDuplicates(context), []);
    const removals = found.map((id) => serverRemoval(context, id));
    const { leftovers } = await removeAll(context, removals, 0);
    return { ...result, duplicatesLeft: [...searches.left, ...leftovers] };
  },
});

export async function findDuplicates({ instanceId, remover, server }: DeleteStepContext): Promise<string[]> {
  const jobId = server.metadata[JOB_METADATA_KEY];
  if (jobId === undefined) return [];
  const { lookups } = remover();
  const ids = await lookups.serverIds(server.name);
  // The compute service asks the network service for the details of each server.
  if (ids.every((id) => id === instanceId)) return [];
  const named = await lookups.servers(server.name);
  const isDuplicate = (found: ServerRecord) =>
    found.id !== instanceId &&
    found.tenant_id === server.projectId &&
    knownMarks('compute', found)[JOB_METADATA_KEY] === jobId;
  return named.filter(isDuplicate).map(({ id }) => id);
}
