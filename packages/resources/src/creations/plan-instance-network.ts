import type { FoundForInstance, InstanceCreation } from '@gateway/jobs';
import { checkInstanceOptions, type NetworkRecord, type PlannedNic } from '@gateway/openstack';
import { chooseNetwork, type ExternalNetwork, findExternalNetwork } from './choose-network.ts';
import type { CreationContext } from './creation-context.ts';

type NetworkContext = CreationContext<Pick<InstanceCreation, 'networkId' | 'options'>>;

/** Checks the options of an instance, and chooses its network. */
export async function planInstanceNetwork(
  context: NetworkContext,
): Promise<Pick<FoundForInstance, 'networkId' | 'isExternal' | 'nics'>> {
  const nics = await checkInstanceOptions(context.owner(), context.projectId, context.input.options);
  const { id, 'router:external': isExternal } = await firstNetwork(context, nics);
  return { networkId: id, isExternal, nics };
}

/** The external network of the instance's floating IP, if it gets one. */
export function planFloatingIp(
  { config, input, owner }: NetworkContext,
  { networkId, isExternal }: Pick<FoundForInstance, 'networkId' | 'isExternal'>,
): Promise<ExternalNetwork> {
  if (!input.options.floatingIp || isExternal)
    return Promise.resolve({ externalNetworkId: null, routedSubnetIds: [] });
  return findExternalNetwork(owner(), networkId, config.instances.externalNetworkId);
}

function firstNetwork(
  { config, input, owner, projectId }: NetworkContext,
  [first]: readonly PlannedNic[],
): Promise<NetworkRecord> {
  const client = owner();
  // The network of a port may be one that takes no new servers.
  if (first !== undefined) return client.network.networks.get(first.networkId);
  const networkId = input.networkId ?? config.instances.defaultNetworkId;
  return chooseNetwork(client, { projectId, networkId });
}
