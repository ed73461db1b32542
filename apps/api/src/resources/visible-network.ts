import { forbidden, invalidInput } from '@gateway/core';
import { isVisibleTo, type NetworkRecord, type SubnetRecord } from '@gateway/openstack';
import { noSuch, type ProjectReader } from './own-records.ts';

/** A network that members of the project may see. Administrators' tokens reach all networks. Throws 404. */
export async function getVisibleNetwork(
  { caller, openstack }: ProjectReader,
  networkId: string,
): Promise<NetworkRecord> {
  const network = await openstack.network.networks.get(networkId);
  if (!isVisibleTo(network, caller.identity.projectId)) throw noSuch('network');
  return network;
}

/**
 * A network that members of the project may change. The service lets administrators change all, but they
 * have endpoints of their own. @throws 404, and 403 for one that the project may only use
 */
export async function getOwnNetwork(request: ProjectReader, networkId: string): Promise<NetworkRecord> {
  const network = await getVisibleNetwork(request, networkId);
  if (network.project_id !== request.caller.identity.projectId) {
    throw forbidden(`The network "${network.name}" belongs to another project.`);
  }
  return network;
}

/**
 * @throws 404 for a network that the project does not see, 400 for one that is not external; `field` of the
 * body names it
 */
export async function requireExternal(
  request: ProjectReader,
  networkId: string,
  field: string,
): Promise<void> {
  checkExternal(await getVisibleNetwork(request, networkId), field);
}

/** @throws 400 for a network that is not external; `field` of the body names it */
export function checkExternal(network: NetworkRecord, field: string): void {
  if (network['router:external']) return;
  throw invalidInput(`The network "${network.name}" is not external.`, {
    errors: [{ field: `body.${field}`, message: 'must be an external network' }],
  });
}

/** A subnet of the project or of a shared network. Throws 404. */
export async function getVisibleSubnet(request: ProjectReader, subnetId: string): Promise<SubnetRecord> {
  const { caller, openstack } = request;
  const subnet = await openstack.network.subnets.get(subnetId);
  if (subnet.project_id === caller.identity.projectId) return subnet;
  const network = await openstack.network.networks.get(subnet.network_id);
  // The service hides the subnets of a network that is only external from everybody but administrators.
  if (network.project_id !== caller.identity.projectId && !network.shared) throw noSuch('subnet');
  return subnet;
}

/**
 * A subnet that members of the project may change. @throws 404, and 403 for one that the project may only use
 */
export async function getOwnSubnet(request: ProjectReader, subnetId: string): Promise<SubnetRecord> {
  const subnet = await getVisibleSubnet(request, subnetId);
  if (subnet.project_id !== request.caller.identity.projectId) {
    throw forbidden(`The subnet "${subnet.name}" belongs to another project.`);
  }
  return subnet;
}
