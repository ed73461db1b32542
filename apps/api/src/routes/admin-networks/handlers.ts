import type { NetworkRecord } from '@gateway/openstack';
import { type Network, presentNetwork, type ResourceName } from '@gateway/views';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf, type ListOwner } from '../../resources/changing-lists.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import { removeNetwork } from '../networks/remove-network.ts';
import { createNetworkWithSubnet } from './create-network.ts';
import type { CreateNetworkBody, UpdateNetworkBody } from './schemas.ts';

type NetworkRequest<Body = unknown> = RequestContext<{ network_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['network', 'subnet', 'port'];

export async function createNetwork(
  request: RequestContext<unknown, unknown, CreateNetworkBody>,
): Promise<Network> {
  const { is_external, is_shared } = request.body;
  const { projectId } = request.caller.identity;
  const owner = is_external || is_shared ? 'everybody' : { projectId };
  return presentNetwork(
    await changingListsOf(request, owner, CHANGED, () => createNetworkWithSubnet(request)),
  );
}

export async function updateNetwork(request: NetworkRequest<UpdateNetworkBody>): Promise<Network> {
  const { body, openstack } = request;
  const { name, is_shared } = body;
  const network = await readNetwork(request);
  if (name === undefined && is_shared === undefined) return presentNetwork(network);
  const owner = is_shared === true ? 'everybody' : ownerOf(network);
  const changes = {
    ...(name !== undefined && { name }),
    ...(is_shared !== undefined && { shared: is_shared }),
  };
  return presentNetwork(
    await changingListsOf(request, owner, CHANGED, () =>
      openstack.network.networks.update(network.id, changes),
    ),
  );
}

/** Never runs at the same time as the creation of a subnet, like a member's deletion. */
export async function deleteNetwork(request: NetworkRequest): Promise<void> {
  const network = await readNetwork(request);
  const read = () => readNetwork(request);
  await changingListsOf(request, ownerOf(network), CHANGED, () =>
    oneAtATime(request, `network:${network.id}`, () =>
      removeNetwork(request, network.id, { read, scope: 'cloud' }),
    ),
  );
}

/** A network of any project. Throws 404. */
function readNetwork({ openstack, params }: NetworkRequest): Promise<NetworkRecord> {
  return openstack.network.networks.get(params.network_id);
}

/** The projects that see the network. */
function ownerOf(network: NetworkRecord): ListOwner {
  if (network.shared || network['router:external']) return 'everybody';
  return { projectId: network.project_id };
}
