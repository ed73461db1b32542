import { ownerInDescription, toTimestamp } from '@gateway/core';
import type { ProjectClient, SecurityGroupRecord } from '@gateway/openstack';
import type { ResourceKind } from './kind.ts';
import { type MarkedResource, marked } from './marked-resource.ts';
import { isGone } from './removal.ts';

const FIELDS = ['id', 'name', 'project_id', 'description', 'created_at'] as const;

export const securityGroup = {
  poll: null,
  leftovers: {
    resource: 'security_group',
    service: 'network',
    list: ({ network }, each) =>
      network.securityGroups.listFields(FIELDS, (one) => each(toMarkedSecurityGroup(one))),
    get: async ({ network }, id) => toMarkedSecurityGroup(await network.securityGroups.get(id)),
    remove: (rights, { id }) => removeSecurityGroup(rights.remover(), id),
  },
} as const satisfies ResourceKind;

function toMarkedSecurityGroup({
  created_at,
  description,
  id,
  name,
  project_id,
}: Pick<SecurityGroupRecord, (typeof FIELDS)[number]>): MarkedResource {
  const createdAt = toTimestamp(created_at);
  return marked('security_group', ownerInDescription(description), {
    id,
    name,
    projectId: project_id,
    createdAt,
  });
}

export async function removeSecurityGroup({ network }: ProjectClient, id: string): Promise<void> {
  await isGone(network.securityGroups.remove(id));
}
