import { GatewayError, invalidInput } from '@gateway/core';
import {
  chooseGateway,
  isVisibleTo,
  type NetworkRecord,
  networkProblem,
  readGateways,
} from '@gateway/openstack';
import { named } from './look-up.ts';
import { type CreateStepContext, type CreationPlan, missing } from './saga.ts';

type NetworkPlan = Pick<CreationPlan, 'networkId' | 'externalNetworkId' | 'routedSubnetIds'>;

/** Chooses the instance's network, and the external network of its floating IP, if any. */
export async function planNetwork(context: CreateStepContext): Promise<NetworkPlan> {
  const network = await chooseNetwork(context);
  if (network['router:external']) return { networkId: network.id, externalNetworkId: null };
  return { networkId: network.id, ...(await findExternalNetwork(context, network)) };
}

/** The requested network, else the configured one, else the project's only network with a subnet. */
async function chooseNetwork(context: CreateStepContext): Promise<NetworkRecord> {
  const { networks } = context.owner().network;
  const id = context.input.networkId ?? context.config.instances.defaultNetworkId;
  if (id !== null) {
    const network = await named(networks.get(id), 'network_id', `Network ${id}`);
    if (!isVisibleTo(network, context.projectId)) throw missing('network_id', `Network ${id}`);
    checkTakesServers(network);
    return network;
  }
  const own = await networks.list({ project_id: context.projectId, 'router:external': false });
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

/** The external network that a router connects the instance's network to, and the subnets from which it does. */
async function findExternalNetwork(
  context: CreateStepContext,
  network: NetworkRecord,
): Promise<Pick<NetworkPlan, 'externalNetworkId' | 'routedSubnetIds'>> {
  const gateways = await readGateways(context.owner().network, [network.id]);
  const externalNetworkId = chooseGateway(gateways, context.config.instances.externalNetworkId);
  const ways = gateways.filter((gateway) => gateway.externalNetworkId === externalNetworkId);
  return { externalNetworkId, routedSubnetIds: ways.map(({ subnetId }) => subnetId) };
}
