import { GatewayError, invalidInput } from '@gateway/core';
import type { NetworkRecord } from '@gateway/openstack';
import { named } from './look-up.ts';
import type { CreateStepContext, CreationPlan } from './saga.ts';

type NetworkPlan = Pick<CreationPlan, 'networkId' | 'externalNetworkId'>;

/** Device owners of router ports: central, distributed and highly available routers. */
const ROUTER_PORTS = [
  'network:router_interface',
  'network:router_interface_distributed',
  'network:ha_router_replicated_interface',
];

/** Chooses the instance's network, and the external network of its floating IP, if any. */
export async function planNetwork(context: CreateStepContext): Promise<NetworkPlan> {
  const network = await chooseNetwork(context);
  const externalNetworkId = network['router:external'] ? null : await findExternalNetwork(context, network);
  return { networkId: network.id, externalNetworkId };
}

/** The requested network, else the configured one, else the project's only network with a subnet. */
async function chooseNetwork(context: CreateStepContext): Promise<NetworkRecord> {
  const { networks } = context.owner().network;
  const id = context.input.networkId ?? context.config.instances.defaultNetworkId;
  if (id !== null) {
    const network = await named(networks.get(id), 'network_id', `Network ${id}`);
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
function checkTakesServers({ name, shared, subnets, 'router:external': isExternal }: NetworkRecord): void {
  // An external network that is also shared is a provider network, which servers can use directly.
  if (isExternal && !shared) {
    throw unusable(
      `The network "${name}" is external: instances get floating IPs from it and can not stand in it.`,
      'must not be an external network',
    );
  }
  if (subnets.length === 0) {
    throw unusable(`The network "${name}" has no subnet, so it gives no addresses.`, 'must have a subnet');
  }
}

function unusable(detail: string, message: string): GatewayError {
  return invalidInput(detail, { errors: [{ field: 'body.network_id', message }] });
}

/** The external network that a router connects the instance's network to; null when there is none. */
async function findExternalNetwork(
  context: CreateStepContext,
  network: NetworkRecord,
): Promise<string | null> {
  const { ports, routers } = context.owner().network;
  const routerPorts = await ports.list({ network_id: network.id, device_owner: ROUTER_PORTS });
  const routerIds = [...new Set(routerPorts.map(({ device_id }) => device_id))];
  if (routerIds.length === 0) return null;
  const serving = await routers.list({ id: routerIds });
  const gateways = serving.flatMap(({ external_gateway_info: gateway }) => gateway?.network_id ?? []);
  const { externalNetworkId } = context.config.instances;
  // Of several, the configured one; else the first by id, so that every run chooses the same.
  return gateways.find((id) => id === externalNetworkId) ?? gateways.sort()[0] ?? null;
}
