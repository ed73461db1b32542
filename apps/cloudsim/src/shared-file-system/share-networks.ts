import { newUuid } from '../common/ids.ts';
import { envelope, stringAt } from '../common/json.ts';
import { badRequest, conflict, notFound, overLimit } from '../common/service-error.ts';
import { list } from '../http/listing.ts';
import { accepted, ok, operation, type Reply } from '../http/operation.ts';
import { findOwned } from '../http/policy.ts';
import type { SharedFileSystemCall } from './cloud.ts';
import { shareLimits } from './quotas.ts';
import { unprocessable } from './refusals.ts';
import type { ShareNetwork } from './state.ts';

function listNetworks(call: SharedFileSystemCall): Reply {
  return list(call, {
    plural: 'share_networks',
    records: call.cloud.sharedFileSystem.shareNetworks.values(),
    present: presentNetwork,
    unknownMarker: (id) => badRequest(`Share network ${id} could not be found.`),
  });
}

function create(call: SharedFileSystemCall): Reply {
  const { caller, cloud } = call;
  const { shareNetworks } = cloud.sharedFileSystem;
  const input = envelope(call.body, 'share_network', unprocessable);
  const networkId = stringAt(input, 'neutron_net_id') ?? null;
  const subnetId = stringAt(input, 'neutron_subnet_id') ?? null;
  if ((networkId === null) !== (subnetId === null))
    throw badRequest('When creating a new share network subnet you need to specify both neutron ids.');
  const limit = shareLimits(cloud.sharedFileSystem, caller.projectId).share_networks ?? -1;
  const own = [...shareNetworks.values()].filter(({ projectId }) => projectId === caller.projectId);
  if (limit >= 0 && own.length >= limit)
    throw overLimit(
      `ShareNetworksLimitExceeded: Maximum number of share-networks allowed (${limit}) exceeded.`,
    );
  const network: ShareNetwork = {
    id: newUuid(),
    projectId: caller.projectId,
    name: stringAt(input, 'name') ?? null,
    description: stringAt(input, 'description') ?? null,
    status: 'active',
    metadata: {},
    networkId,
    subnetId,
    createdMs: cloud.clock.now(),
  };
  shareNetworks.set(network.id, network);
  return accepted({ share_network: presentNetwork(network) });
}

/** As before microversion 2.51, since which a share network has several subnets. */
export function presentNetwork(network: ShareNetwork): object {
  return {
    id: network.id,
    name: network.name,
    description: network.description,
    project_id: network.projectId,
    neutron_net_id: network.networkId,
    neutron_subnet_id: network.subnetId,
    network_type: null,
    segmentation_id: null,
    cidr: null,
    ip_version: null,
    created_at: new Date(network.createdMs).toISOString().replace('Z', '000'),
    updated_at: null,
  };
}

export function networkOf({ caller, cloud, params }: SharedFileSystemCall): ShareNetwork {
  return findOwned(cloud.sharedFileSystem.shareNetworks, caller, params.id ?? '', (id) =>
    notFound(`Share network ${id} could not be found.`),
  );
}

function get(call: SharedFileSystemCall): Reply {
  return ok({ share_network: presentNetwork(networkOf(call)) });
}

function remove(call: SharedFileSystemCall): Reply {
  const { id } = networkOf(call);
  const { securityServices, shareNetworks, shares } = call.cloud.sharedFileSystem;
  const inside = [...shares.values()].filter(({ networkId }) => networkId === id);
  if (inside.length > 0)
    throw conflict(`Can not delete share network ${id}, it has ${inside.length} share(s).`);
  shareNetworks.delete(id);
  for (const service of securityServices.values())
    service.shareNetworkIds = service.shareNetworkIds.filter((each) => each !== id);
  return accepted();
}

export const shareNetworkOperations = [
  operation('share_networks.list_detail', 'GET /share-networks/detail', listNetworks),
  operation('share_networks.get', 'GET /share-networks/:id', get),
  operation('share_networks.create', 'POST /share-networks', create),
  operation('share_networks.delete', 'DELETE /share-networks/:id', remove),
];
