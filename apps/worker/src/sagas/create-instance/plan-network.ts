import { findExternalNetwork, planInstanceNetwork } from '@gateway/resources';
import type { CreateStepContext, CreationPlan } from './saga.ts';

type NetworkPlan = Pick<CreationPlan, 'networkId' | 'externalNetworkId' | 'routedSubnetIds' | 'nics'>;

/** Chooses the instance's network, and the external network of its floating IP, if any. */
export async function planNetwork(context: CreateStepContext): Promise<NetworkPlan> {
  const { config, input } = context;
  const { network, nics } = await planInstanceNetwork(context);
  const planned = nics.length === 0 ? {} : { nics };
  if (!input.options.floatingIp || network['router:external'])
    return { networkId: network.id, externalNetworkId: null, routedSubnetIds: [], ...planned };
  const external = await findExternalNetwork(context.owner(), network, config.instances.externalNetworkId);
  return { networkId: network.id, ...external, ...planned };
}
