import { checkInstanceOptions, type NetworkRecord, type PlannedNic } from '@gateway/openstack';
import { chooseNetwork, findExternalNetwork } from '../resources/choose-network.ts';
import type { CreateStepContext, CreationPlan } from './saga.ts';

type NetworkPlan = Pick<CreationPlan, 'networkId' | 'externalNetworkId' | 'routedSubnetIds' | 'nics'>;

/** Chooses the instance's network, and the external network of its floating IP, if any. */
export async function planNetwork(context: CreateStepContext): Promise<NetworkPlan> {
  const { config, input, projectId } = context;
  const client = context.owner();
  const nics = await checkInstanceOptions(client, projectId, input.options);
  const network = await firstNetwork(context, nics);
  const planned = nics.length === 0 ? {} : { nics };
  if (!input.options.floatingIp || network['router:external'])
    return { networkId: network.id, externalNetworkId: null, routedSubnetIds: [], ...planned };
  const external = await findExternalNetwork(client, network, config.instances.externalNetworkId);
  return { networkId: network.id, ...external, ...planned };
}

function firstNetwork(
  { config, input, owner, projectId }: CreateStepContext,
  [first]: readonly PlannedNic[],
): Promise<NetworkRecord> {
  const client = owner();
  // The network of a port may be one that takes no new servers.
  if (first !== undefined) return client.network.networks.get(first.networkId);
  const networkId = input.networkId ?? config.instances.defaultNetworkId;
  return chooseNetwork(client, { projectId, networkId });
}
