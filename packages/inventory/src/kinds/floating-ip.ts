import { ownerInDescription, toTimestamp } from '@gateway/core';
import type { FloatingIpRecord, ProjectClient } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { type MarkedResource, marked } from './marked-resource.ts';
import { isGone } from './removal.ts';

const FIELDS = ['id', 'floating_ip_address', 'project_id', 'description', 'created_at', 'port_id'] as const;

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
  const { id, port_id, floating_ip_address: name } = record;
  return marked('floating_ip', ownerInDescription(record.description), {
    id,
    name,
    projectId: record.project_id,
    createdAt: toTimestamp(record.created_at),
    use: port_id === null ? null : `It is associated with port ${port_id}.`,
    revision: record.revision_number,
  });
}

/** @throws an `isStale` error if the record does not have the revision `ifRevision` */
export async function removeFloatingIp(
  { network }: ProjectClient,
  id: string,
  ifRevision?: number | null,
): Promise<void> {
  await isGone(network.floatingIps.remove(id, ifRevision));
}
