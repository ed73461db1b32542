import { JOB_METADATA_KEY, toTimestamp } from '@gateway/core';
import {
  type BoundClient,
  isBeingDeleted,
  knownMarks,
  nullIfNotFound,
  type ProjectClient,
  type ServerRecord,
} from '@gateway/openstack';
import { EVERYWHERE, type ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { type MarkedResource, marked, markOfMetadata } from './marked-resource.ts';
import { isGone, type RemovalOptions } from './removal.ts';

export const server = {
  poll: [0.6, 3],
  leftovers: {
    resource: 'instance',
    service: 'compute',
    list: ({ compute }, each) => compute.servers.listAs((one) => each(toMarkedServer(one)), EVERYWHERE),
    get: async ({ compute }, id) => toMarkedServer(await compute.servers.get(id)),
    remove: (rights, { id }, within) => removeServer(rights.remover(), id, within('serverSeconds')),
  },
} as const satisfies ResourceKind;

export async function findServers(
  { compute }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<ServerRecord[]> {
  const servers = await compute.servers.listByName(name);
  const isMade = (one: ServerRecord) =>
    one.tenant_id === projectId && knownMarks('compute', one)[JOB_METADATA_KEY] === jobId;
  return bestFirst(servers.filter(isMade), ({ created }) => created);
}

export function toMarkedServer({ id, name, tenant_id, created, metadata }: ServerRecord): MarkedResource {
  const createdAt = toTimestamp(created);
  return marked('server', markOfMetadata(metadata), { id, name, projectId: tenant_id, createdAt });
}

export async function removeServer(
  { compute, polls }: ProjectClient,
  id: string,
  options: RemovalOptions,
): Promise<void> {
  const { servers } = compute;
  await polls.waitFor(
    'server',
    id,
    async (read) => {
      const found = await nullIfNotFound(read());
      if (found === null || found.status === 'DELETED') return true;
      // Some clouds only mark the server as deleted, and keep its resources for a while.
      if (found.status === 'SOFT_DELETED') await isGone(servers.forceDelete(id));
      else if (!isBeingDeleted(found)) await isGone(servers.remove(id));
      return undefined;
    },
    { ...options, describe: 'The server' },
  );
}
