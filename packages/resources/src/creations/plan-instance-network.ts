import type { InstanceCreation } from '@gateway/jobs';
import { checkInstanceOptions, type NetworkRecord, type PlannedNic } from '@gateway/openstack';
import { chooseNetwork } from './choose-network.ts';
import type { CreationContext } from './creation-context.ts';

type NetworkContext = CreationContext<Pick<InstanceCreation, 'networkId' | 'options'>>;

interface InstanceNetwork {
  /** Of the first interface. */
  network: Pick<NetworkRecord, 'id' | 'router:external'>;
  /** The requested interfaces; empty for one new port on the network. */
  nics: PlannedNic[];
}

/** Checks the options of an instance, and chooses its network. */
export async function planInstanceNetwork(context: NetworkContext): Promise<InstanceNetwork> {
  const nics = await checkInstanceOptions(context.owner(), context.projectId, context.input.options);
  return { network: await firstNetwork(context, nics), nics };
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
