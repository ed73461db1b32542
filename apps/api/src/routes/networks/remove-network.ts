import { isStale, type NetworkRecord, type SubnetRecord } from '@gateway/openstack';
import type { Scope } from '@gateway/resources';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { requireDispensableNetwork } from '../../resources/configured.ts';
import { inUseConflict, isRefusedAsInUse, nameOf, nameUsersOf } from '../../resources/in-use.ts';
import { getOwnNetwork } from '../../resources/visible-network.ts';

const FAILURE = 'The network cannot be deleted';
const MAX_ATTEMPTS = 5;

interface NetworkScope {
  /** Reads the network before each attempt; by default, one of the project. */
  read?: () => Promise<NetworkRecord>;
  /** Where the devices in a refusal are. */
  scope?: Scope;
}

/**
 * The service would delete the subnets of a network together with it. So the gateway refuses if it sees
 * subnets, and lets the service delete only the revision that it has read: a new subnet changes the revision.
 */
export async function removeNetwork(
  request: RequestContext,
  networkId: string,
  { read = () => getOwnNetwork(request, networkId), scope = 'project' }: NetworkScope = {},
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const network = await read();
    await requireDispensableNetwork(request, network);
    await requireNoSubnets(request, network.id, scope);
    try {
      return await request.openstack.network.networks.remove(network.id, network.revision_number);
    } catch (error) {
      if (isStale(error) && attempt < MAX_ATTEMPTS) continue;
      throw isRefusedAsInUse(error)
        ? inUseConflict(FAILURE, await nameUsersIn(request, network.id, scope), error)
        : error;
    }
  }
}

async function requireNoSubnets(request: RequestContext, networkId: string, scope: Scope): Promise<void> {
  const inside = await request.openstack.network.subnets.list({ network_id: networkId });
  if (inside.length === 0) return;
  const names = inside.map((subnet) => nameOf('subnet', subnet));
  throw inUseConflict(FAILURE, [...(await nameUsersIn(request, networkId, scope)), ...names]);
}

async function nameUsersIn(request: RequestContext, networkId: string, scope: Scope): Promise<string[]> {
  return nameUsersOf(request, await request.openstack.network.ports.list({ network_id: networkId }), scope);
}

/** @throws 409 with the names of the devices in `scope` that use the subnet */
export async function removeSubnet(
  request: RequestContext,
  subnet: SubnetRecord,
  scope: Scope = 'project',
): Promise<void> {
  const { ports, subnets } = request.openstack.network;
  try {
    await subnets.remove(subnet.id);
  } catch (error) {
    if (!isRefusedAsInUse(error)) throw error;
    const inside = await ports.list({ network_id: subnet.network_id });
    const using = inside.filter(({ fixed_ips }) => fixed_ips.some((fixed) => fixed.subnet_id === subnet.id));
    throw inUseConflict('The subnet cannot be deleted', await nameUsersOf(request, using, scope), error);
  }
}
