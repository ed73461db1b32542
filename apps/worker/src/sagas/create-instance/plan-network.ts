import { chooseNetwork, findExternalNetwork } from '../resources/choose-network.ts';
import type { CreateStepContext, CreationPlan } from './saga.ts';

type NetworkPlan = Pick<CreationPlan, 'networkId' | 'externalNetworkId' | 'routedSubnetIds'>;

/** Chooses the instance's network, and the external network of its floating IP, if any. */
export async function planNetwork(context: CreateStepContext): Promise<NetworkPlan> {
  const { config, input, projectId } = context;
  const client = context.owner();
  const networkId = input.networkId ?? config.instances.defaultNetworkId;
  const network = await chooseNetwork(client, { projectId, networkId });
  if (network['router:external']) return { networkId: network.id, externalNetworkId: null };
  const external = await findExternalNetwork(client, network, config.instances.externalNetworkId);
  return { networkId: network.id, ...external };
}
