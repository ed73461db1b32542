import type { PluginKey, PluginSettings } from '@gateway/lite';
import type { BoundClient, NetworkRecord, SubnetRecord } from '@gateway/openstack';
import { defaultShareNetwork, findExternalNetwork } from '@gateway/resources';
import type { LiteClusterContext } from './context.ts';
import type { PluginPlan } from './plugins.ts';

/** The subnet of the nodes, the network of the services' floating IPs, and the type and network of shares. */
export async function planPlugins(
  context: Pick<LiteClusterContext, 'config' | 'owner'>,
  plugins: readonly PluginKey[],
  network: NetworkRecord,
  subnet: Pick<SubnetRecord, 'id' | 'cidr'>,
): Promise<PluginPlan> {
  const { config, owner } = context;
  const isExternal = network['router:external'];
  const [external, share] = await Promise.all([
    isExternal ? null : findExternalNetwork(owner(), network.id, config.instances.externalNetworkId),
    plugins.includes('file_csi') ? planShares(context) : { type: null, networkId: null },
  ]);
  return {
    network: { subnetId: subnet.id, subnetCidr: subnet.cidr },
    floatingNetworkId: external?.externalNetworkId ?? null,
    share,
  };
}

/** The type is null if none is configured and the service has no default. */
async function planShares({
  config: { fileStorage },
  owner,
}: Pick<LiteClusterContext, 'config' | 'owner'>): Promise<PluginSettings['share']> {
  const type = fileStorage.shareType.nfs ?? (await defaultShareType(owner()));
  return { type, networkId: await defaultShareNetwork(owner(), fileStorage, type) };
}

async function defaultShareType({ sharedFileSystem }: BoundClient): Promise<string | null> {
  const types = await sharedFileSystem.shareTypes.list();
  return types.find(({ is_default }) => is_default)?.name ?? null;
}
