import { conflict, notFound } from '@gateway/core';
import { type SecurityGroupRecord, UpstreamError } from '@gateway/openstack';
import { type PortSecurityGroups, presentPortSecurityGroups } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { getOwnPort, noSuchPort } from '../../resources/instance-ports.ts';
import { getOwnServer } from '../../resources/read-instance.ts';

/**
 * @throws 404 for a port that the instance does not have, and for groups that members of the project cannot
 * use
 */
export async function replaceSecurityGroups(
  request: RequestContext,
  instanceId: string,
  portId: string,
  groupIds: readonly string[],
): Promise<PortSecurityGroups> {
  const server = await getOwnServer(request, instanceId);
  const port = await getOwnPort(request, portId);
  if (port.device_id !== server.id) throw noSuchPort();
  const groups = await readGroups(request, [...new Set(groupIds)]);
  try {
    const updated = await request.openstack.network.ports.update(port.id, {
      security_groups: groups.map(({ id }) => id),
    });
    return presentPortSecurityGroups(updated, groups);
  } catch (error) {
    throw isStateRefusal(error) ? explainPortRefusal(error) : error;
  }
}

async function readGroups(
  { caller, openstack }: RequestContext,
  ids: readonly string[],
): Promise<SecurityGroupRecord[]> {
  if (ids.length === 0) return [];
  const { projectId } = caller.identity;
  const found = await openstack.network.securityGroups.list({ id: ids });
  // Administrators' tokens show the groups of all projects.
  const usable = found.filter(({ project_id, shared }) => project_id === projectId || shared === true);
  const byId = new Map(usable.map((group) => [group.id, group]));
  return ids.map((id) => {
    const group = byId.get(id);
    if (group === undefined) throw notFound(`There is no security group ${id} in this project.`);
    return group;
  });
}

/**
 * The service answers 400 if the port takes no groups, because its port security is off or it has no address.
 */
function isStateRefusal(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && (error.upstreamStatus === 400 || error.upstreamStatus === 409);
}

function explainPortRefusal(error: UpstreamError) {
  const detail = `The security groups of the port cannot be replaced: ${error.message}`;
  return conflict('refused_by_service', detail, { cause: error, upstream: error.upstream });
}
