import { forbidden, notFound } from '@gateway/core';
import type { SecurityGroupRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * A group of the project. Administrators' tokens reach all groups. @throws 404, and 403 for one that is only
 * shared with it
 */
export async function getOwnGroup(request: RequestContext, groupId: string): Promise<SecurityGroupRecord> {
  const group = await getUsableGroup(request, groupId);
  if (group.project_id !== request.caller.identity.projectId) {
    throw forbidden(`The security group "${group.name}" belongs to another project.`);
  }
  return group;
}

/** A group of the project or one that is shared with it. Throws 404. */
export async function getUsableGroup(
  { caller, openstack }: RequestContext,
  groupId: string,
): Promise<SecurityGroupRecord> {
  const group = await openstack.network.securityGroups.get(groupId);
  if (group.project_id !== caller.identity.projectId && group.shared !== true) {
    throw notFound('There is no such security group in this project.');
  }
  return group;
}
