import { GatewayError, sleep } from '@gateway/core';
import { type NetworkRecord, nullIfNotFound } from '@gateway/openstack';
import type { RequestContext } from '../../pipeline/request-context.ts';
import { ipVersionOf } from '../networks/check-addresses.ts';
import type { CreateNetworkBody } from './schemas.ts';

type CreateRequest = RequestContext<unknown, unknown, CreateNetworkBody>;

const MAX_ATTEMPTS = 3;

/** Creates a network in the project of the caller, and its subnet if there is a CIDR: both or neither. */
export async function createNetworkWithSubnet(request: CreateRequest): Promise<NetworkRecord> {
  const { body, openstack } = request;
  const { name, cidr, enable_dhcp } = body;
  const { networks, subnets } = openstack.network;
  const network = await networks.create({
    name,
    ...(body.is_external && { 'router:external': true }),
    ...(body.is_shared && { shared: true }),
    'provider:network_type': body.provider_network_type,
    'provider:physical_network': body.provider_physical_network,
    'provider:segmentation_id': body.provider_segmentation_id,
  });
  if (cidr === undefined) return network;
  try {
    const subnet = { network_id: network.id, name, cidr, ip_version: ipVersionOf(cidr), enable_dhcp };
    const { id } = await subnets.create(subnet);
    return { ...network, subnets: [id] };
  } catch (error) {
    await undo(request, network, error);
    throw error;
  }
}

/**
 * Deletes the network, and with it a subnet whose response was lost.
 *
 * @throws the error of the subnet, naming the network if it could not be deleted
 */
async function undo({ app, logger, openstack }: CreateRequest, { id }: NetworkRecord, cause: unknown) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await nullIfNotFound(openstack.network.networks.remove(id));
      return;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      logger.warn('A network without its subnet could not be deleted', { error });
    }
    if (attempt === MAX_ATTEMPTS) break;
    await sleep(app.config.jobs.pollIntervalMs);
  }
  if (!(cause instanceof GatewayError)) throw cause;
  const {
    status,
    code,
    message,
    conflictReason: reason,
    params,
    errors,
    upstream,
    retryAfterSeconds,
  } = cause;
  const detail = `${message} The network ${id} could not be deleted and is left without a subnet.`;
  throw new GatewayError(status, code, detail, {
    cause,
    reason,
    params,
    errors,
    upstream,
    retryAfterSeconds,
  });
}
