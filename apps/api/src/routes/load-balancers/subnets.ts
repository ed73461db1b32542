import { invalidInput } from '@gateway/core';
import { nullIfNotFound, type SubnetRecord } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';

/**
 * A subnet named in the body must be one that members of the project can see. The services accept any subnet from an
 * administrator.
 *
 * @throws 400
 */
export async function requireVisibleSubnet(
  { caller, openstack }: RequestContext,
  field: string,
  id: string,
): Promise<void> {
  const subnet = await nullIfNotFound(openstack.network.subnets.get(id));
  if (subnet !== null && subnet.project_id === caller.identity.projectId) return;
  if (subnet !== null && (await isInVisibleNetwork(openstack.network, subnet))) return;
  throw invalidInput('There is no such subnet in this project.', {
    errors: [{ field: `body.${field}`, message: 'is not a subnet of this project' }],
  });
}

async function isInVisibleNetwork(
  { networks }: RequestContext['openstack']['network'],
  { network_id }: SubnetRecord,
): Promise<boolean> {
  const network = await nullIfNotFound(networks.get(network_id));
  return network !== null && (network.shared || network['router:external']);
}
