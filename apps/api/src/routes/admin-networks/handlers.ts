import type { ResourceName } from '@gateway/core';
import type { NetworkRecord } from '@gateway/openstack';
import {
  type AdminNetwork,
  allProjectNames,
  presentNetwork,
  presentProvider,
  withNames,
} from '@gateway/resources';
import { sourcesOf } from '../../pipeline/cached-list.ts';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { changingListsOf } from '../../resources/changing-lists.ts';
import { oneAtATime } from '../../resources/one-at-a-time.ts';
import { removeNetwork } from '../networks/remove-network.ts';
import { createNetworkWithSubnet } from './create-network.ts';
import { ownerOf } from './owner.ts';
import type { CreateNetworkBody, UpdateNetworkBody } from './schemas.ts';

type NetworkRequest<Body = unknown> = RequestContext<{ network_id: string }, unknown, Body>;

const CHANGED: readonly ResourceName[] = ['network', 'subnet', 'port'];

export async function createNetwork(
  request: RequestContext<unknown, unknown, CreateNetworkBody>,
): Promise<AdminNetwork> {
  const { is_external, is_shared } = request.body;
  const { projectId } = request.caller.identity;
  const owner = is_external || is_shared ? 'everybody' : { projectId };
  return present(
    request,
    await changingListsOf(request, owner, CHANGED, () => createNetworkWithSubnet(request)),
  );
}

export async function updateNetwork(request: NetworkRequest<UpdateNetworkBody>): Promise<AdminNetwork> {
  const { body, openstack } = request;
  const { name, is_shared } = body;
  const network = await readNetwork(request);
  if (name === undefined && is_shared === undefined) return present(request, network);
  const owner = is_shared === true ? 'everybody' : ownerOf(network);
  const changes = {
    ...(name !== undefined && { name }),
    ...(is_shared !== undefined && { shared: is_shared }),
  };
  return present(
    request,
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

async function present(request: RequestContext, record: NetworkRecord): Promise<AdminNetwork> {
  const network = await withNames(sourcesOf(request), presentNetwork(record), {
    project_id: allProjectNames,
  });
  return { ...network, ...presentProvider(record) };
}
