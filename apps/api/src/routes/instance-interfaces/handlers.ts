import {
  type InstanceInterface,
  nameInterfaces,
  type PortSecurityGroups,
  presentInterface,
  presentPortSecurityGroups,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { listInstancePorts } from '../../resources/instance-ports.ts';
import { getOwnServer } from '../../resources/read-instance.ts';
import { connectToNetwork } from './connect-to-network.ts';
import { disconnectPort } from './disconnect-port.ts';
import type { AddInterfaceBody, PortSecurityGroupsBody } from './schemas.ts';
import { replaceSecurityGroups } from './security-groups.ts';

type InstanceParams = { instance_id: string };
type PortParams = { instance_id: string; port_id: string };

export async function listInterfaces(request: RequestContext<InstanceParams>): Promise<InstanceInterface[]> {
  const { id } = await getOwnServer(request, request.params.instance_id);
  return nameInterfaces(sourcesOf(request), (await listInstancePorts(request, id)).map(presentInterface));
}

export async function addInterface(
  request: RequestContext<InstanceParams, unknown, AddInterfaceBody>,
): Promise<InstanceInterface> {
  const added = presentInterface(
    await connectToNetwork(request, request.params.instance_id, request.body.net_id),
  );
  await nameInterfaces(sourcesOf(request), [added]);
  return added;
}

export async function removeInterface(request: RequestContext<PortParams>): Promise<void> {
  await disconnectPort(request, request.params.instance_id, request.params.port_id);
}

/** Makes three calls, whatever the number of ports and groups. */
export async function listSecurityGroups(
  request: RequestContext<InstanceParams>,
): Promise<PortSecurityGroups[]> {
  const { id } = await getOwnServer(request, request.params.instance_id);
  const ports = await listInstancePorts(request, id);
  const groupIds = [...new Set(ports.flatMap(({ security_groups }) => security_groups))];
  const { securityGroups } = request.openstack.network;
  const groups = groupIds.length === 0 ? [] : await securityGroups.list({ id: groupIds });
  return ports.map((port) => presentPortSecurityGroups(port, groups));
}

export async function setSecurityGroups(
  request: RequestContext<PortParams, unknown, PortSecurityGroupsBody>,
): Promise<PortSecurityGroups> {
  const { body, params } = request;
  return replaceSecurityGroups(request, params.instance_id, params.port_id, body.security_group_ids);
}
