import { GatewayError, invalidInput } from '@gateway/core';
import {
  type BoundClient,
  chooseGateway,
  isVisibleTo,
  type NetworkRecord,
  networkProblem,
  readGateways,
  readRequested,
  requestedNotFound,
} from '@gateway/openstack';

interface NetworkChoice {
  projectId: string;
  /**
   * The network of the request, else the configured one; null for the project's only network with a subnet.
   */
  networkId: string | null;
}

/** The network from which servers reach an external one, and get floating IPs. */
export interface ExternalNetwork {
  /** Null when no router leads to an external network. */
  externalNetworkId: string | null;
  /** The subnets that a router connects to it. */
  routedSubnetIds: string[];
}

/**
 * Chooses the network of servers.
 *
 * @throws 400 when it does not exist, is not visible to the project or takes no servers, or when the
 * project's own networks leave no choice or several
 */
export async function chooseNetwork(
  { network: { networks } }: BoundClient,
  { projectId, networkId }: NetworkChoice,
): Promise<NetworkRecord> {
  if (networkId !== null) {
    const network = await readRequested(networks.get(networkId), 'network_id', `Network ${networkId}`);
    if (!isVisibleTo(network, projectId)) throw requestedNotFound('network_id', `Network ${networkId}`);
    checkTakesServers(network);
    return network;
  }
  const own = await networks.list({ project_id: projectId, 'router:external': false });
  const [network, ...others] = own.filter(({ subnets }) => subnets.length > 0);
  if (network !== undefined && others.length === 0) return network;
  const detail =
    network === undefined
      ? 'The project has no network with a subnet: please create one, or name a shared one.'
      : 'The project has several networks: please name one.';
  throw new GatewayError(400, 'network_required', detail, {
    errors: [{ field: 'body.network_id', message: 'is required' }],
  });
}

/** @throws 400 for a network that the compute service refuses for servers */
function checkTakesServers(network: NetworkRecord): void {
  const problem = networkProblem(network);
  if (problem === null) return;
  throw invalidInput(problem.detail, { errors: [{ field: 'body.network_id', message: problem.message }] });
}

/** Finds the external network that a router connects the network to. */
export async function findExternalNetwork(
  client: BoundClient,
  networkId: string,
  configuredId: string | null,
): Promise<ExternalNetwork> {
  const gateways = await readGateways(client.network, [networkId]);
  const externalNetworkId = chooseGateway(gateways, configuredId);
  const ways = gateways.filter((gateway) => gateway.externalNetworkId === externalNetworkId);
  return { externalNetworkId, routedSubnetIds: ways.map(({ subnetId }) => subnetId) };
}
