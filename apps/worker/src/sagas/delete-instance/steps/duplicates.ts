import { JOB_METADATA_KEY, toMilliseconds } from '@gateway/core';
import type { Leftover } from '@gateway/jobs';
import { knownMarks, type ServerRecord } from '@gateway/openstack';
import type { Config } from '@gateway/platform';
import { removeAll } from '../../resources/remove-all.ts';
import { Searches } from '../../resources/searches.ts';
import { parkOnce } from '../../resources/wait-options.ts';
import { serverRemoval } from '../removals.ts';
import { announce, type DeleteStepContext, defineDeleteStep } from '../saga.ts';

/** How long the other removals wait for a service that does not respond. */
const PATIENCE_MS = 10_000;

/**
 * Finds the servers that a late call of the creation has made beside this one. The list is slow in a project
 * with many servers of one name, so it comes after the compute service has accepted the deletion. While it
 * fails, the other removals continue, and sweeps search again.
 */
export const findDuplicateServers = defineDeleteStep<{ duplicateIds: string[]; duplicatesLeft: Leftover[] }>({
  name: 'duplicates',
  beginUpdate: announce('RESOURCES_DELETING', 'What belonged to the server is being deleted.'),
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

export async function findDuplicates({
  config,
  instanceId,
  remover,
  server,
}: DeleteStepContext): Promise<string[]> {
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
    knownMarks('compute', found)[JOB_METADATA_KEY] === jobId &&
    isOfOneCreation(found.created, server.createdAt, config.jobs);
  return named.filter(isDuplicate).map(({ id }) => id);
}

/**
 * Whether one creation can have made both servers. Anybody in the project can write a server's metadata, and
 * tools that restore or rebuild an instance copy them with its name: that server is in use. One whose time is
 * not known stays.
 */
function isOfOneCreation(
  one: string,
  other: string,
  { lateCallSeconds, recheckSeconds }: Config['jobs'],
): boolean {
  const [oneMs, otherMs] = [toMilliseconds(one), toMilliseconds(other)];
  if (oneMs === null || otherMs === null) return false;
  return Math.abs(oneMs - otherMs) <= (lateCallSeconds + recheckSeconds) * 1000;
}
