import { ownerInDescription, toTimestamp } from '@gateway/core';
import { type FloatingIpRecord, nullIfNotFound, type ProjectClient } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { type MarkedResource, marked } from './marked-resource.ts';
import { isOfOthers, type OwnUse, unknownUser } from './own-use.ts';
import { againIfStale, isGone } from './removal.ts';

const FIELDS = [
  'id',
  'floating_ip_address',
  'project_id',
  'description',
  'created_at',
  'port_id',
  'port_forwardings',
] as const;

export const floatingIp = {
  poll: null,
  leftovers: {
    resource: 'floating_ip',
    service: 'network',
    list: ({ network }, each) =>
      network.floatingIps.listFields(FIELDS, (one) => each(toMarkedFloatingIp(one))),
    get: async ({ network }, id) => toMarkedFloatingIp(await network.floatingIps.get(id)),
    remove: (rights, { id, revision }) => removeFloatingIp(rights.remover(), id, revision),
  },
} as const satisfies ResourceKind;

function toMarkedFloatingIp(
  record: Pick<FloatingIpRecord, (typeof FIELDS)[number]> &
    Partial<Pick<FloatingIpRecord, 'revision_number'>>,
): MarkedResource {
  const { id, floating_ip_address: name } = record;
  return marked('floating_ip', ownerInDescription(record.description), {
    id,
    name,
    projectId: record.project_id,
    createdAt: toTimestamp(record.created_at),
    use: useOf(record),
    revision: record.revision_number,
  });
}

function useOf({
  port_forwardings,
  port_id,
}: Pick<FloatingIpRecord, 'port_forwardings' | 'port_id'>): string | null {
  if (port_id !== null) return `It is associated with port ${port_id}.`;
  const targets = new Set(port_forwardings.map(({ internal_ip_address }) => internal_ip_address));
  return targets.size === 0 ? null : `It forwards ports to ${[...targets].join(', ')}.`;
}

/** @throws an `isStale` error if the record does not have the revision `ifRevision` */
export async function removeFloatingIp(
  { network }: ProjectClient,
  id: string,
  ifRevision?: number | null,
): Promise<void> {
  await isGone(network.floatingIps.remove(id, ifRevision));
}

/**
 * Removes a floating IP of a job, unless it has come into use by somebody else meanwhile: then it is theirs,
 * also if the job has created it. A delayed call removes nothing that has changed.
 */
export async function releaseFloatingIp(client: ProjectClient, id: string, own: OwnUse): Promise<void> {
  await againIfStale(async () => {
    const found = await nullIfNotFound(client.network.floatingIps.get(id));
    if (found === null || (await isUsedByOthers(client, found, own))) return;
    await removeFloatingIp(client, id, found.revision_number);
  });
}

async function isUsedByOthers(
  client: ProjectClient,
  { port_details: details, port_forwardings: forwardings, port_id: portId }: FloatingIpRecord,
  own: OwnUse,
): Promise<boolean> {
  // Only users make them.
  if (forwardings.length > 0) return true;
  if (portId === null) return false;
  // Without a device it may be that the service does not say it here.
  if (details !== null && details.device_id !== '')
    return isOfOthers(client, { id: portId, ...details }, own);
  const port = await nullIfNotFound(client.network.ports.get(portId));
  if (port === null) throw unknownUser(portId);
  return isOfOthers(client, port, own);
}
