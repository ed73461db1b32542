import { conflict, jobDescription, ownerInDescription, toTimestamp } from '@gateway/core';
import {
  type BoundClient,
  descriptionOf,
  nullIfNotFound,
  type PortRecord,
  type ProjectClient,
} from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { bestFirst, type JobMark } from './mark.ts';
import { type MarkedResource, marked } from './marked-resource.ts';
import { isOfOthers, type OwnUse } from './own-use.ts';
import { againIfStale, isGone } from './removal.ts';

const FIELDS = [
  'id',
  'name',
  'project_id',
  'description',
  'created_at',
  'device_id',
  'device_owner',
] as const;

export const port = {
  poll: null,
  leftovers: {
    resource: 'port',
    service: 'network',
    list: ({ network }, each) => network.ports.listFields(FIELDS, (one) => each(toMarkedPort(one))),
    get: async ({ network }, id) => toMarkedPort(await network.ports.get(id)),
    remove: (rights, { id, revision }) => removePort(rights.remover(), id, revision),
  },
} as const satisfies ResourceKind;

export async function findPorts(
  { network }: BoundClient,
  name: string,
  { jobId, projectId }: JobMark,
): Promise<PortRecord[]> {
  const ports = await network.ports.list({ name });
  const isMade = (one: PortRecord) =>
    one.project_id === projectId && descriptionOf(one) === jobDescription(jobId);
  return bestFirst(ports.filter(isMade), ({ created_at }) => created_at);
}

function toMarkedPort(
  record: Pick<PortRecord, (typeof FIELDS)[number]> & Partial<Pick<PortRecord, 'revision_number'>>,
): MarkedResource {
  const { id, name } = record;
  return marked('port', ownerInDescription(record.description), {
    id,
    name,
    projectId: record.project_id,
    createdAt: toTimestamp(record.created_at),
    use: useOfPort(record),
    revision: record.revision_number,
  });
}

function useOfPort({
  device_id,
  device_owner,
}: Pick<PortRecord, 'device_id' | 'device_owner'>): string | null {
  if (device_id === '' && device_owner === '') return null;
  if (device_id === null || device_owner === null) return 'The network service does not say who uses it.';
  return `It is in use by ${device_owner} ${device_id}.`;
}

/** @throws an `isStale` error if the record does not have the revision `ifRevision` */
export async function removePort(
  { network }: ProjectClient,
  id: string,
  ifRevision?: number | null,
): Promise<void> {
  await isGone(network.ports.remove(id, ifRevision));
}

/** Removes a port that a job has created, unless somebody else has connected it to a device meanwhile. */
export async function releasePort(
  client: ProjectClient,
  id: string,
  own: Omit<OwnUse, 'portIds'>,
): Promise<void> {
  await againIfStale(async () => {
    const found = await nullIfNotFound(client.network.ports.get(id));
    if (found === null || (await isOfOthers(client, found, { ...own, portIds: [id] }))) return;
    await removePort(client, id, found.revision_number);
  });
}

/**
 * Access rules by address would apply to the next server with that address, so the port is deleted after
 * them.
 */
export function portStillGranted(): Error {
  return conflict('in_use', 'The port is kept until no share grants access to its address.');
}
