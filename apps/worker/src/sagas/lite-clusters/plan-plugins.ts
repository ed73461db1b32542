import type { PluginKey } from '@gateway/lite';
import type { NetworkRecord, SubnetRecord } from '@gateway/openstack';
import { findExternalNetwork } from '@gateway/resources';
import type { LiteClusterContext } from './context.ts';
import type { PluginPlan } from './plugins.ts';

/** The subnet of the nodes, the network of the floating IPs of services, and the type of shares. */
export async function planPlugins(
  context: Pick<LiteClusterContext, 'config' | 'owner'>,
  plugins: readonly PluginKey[],
  network: NetworkRecord,
  subnet: Pick<SubnetRecord, 'id' | 'cidr'>,
): Promise<PluginPlan> {
  const { config, owner } = context;
  const isExternal = network['router:external'];
  const [external, shareType] = await Promise.all([
    isExternal ? null : findExternalNetwork(owner(), network.id, config.instances.externalNetworkId),
    plugins.includes('file_csi') ? chooseShareType(context) : null,
  ]);
  return {
    network: { subnetId: subnet.id, subnetCidr: subnet.cidr },
    floatingNetworkId: external?.externalNetworkId ?? null,
    shareType,
  };
}

/** Null if no type is configured and the service has no default. */
async function chooseShareType({
  config,
  owner,
}: Pick<LiteClusterContext, 'config' | 'owner'>): Promise<string | null> {
  const configured = config.fileStorage.shareType.nfs;
  if (configured !== null) return configured;
  const types = await owner().sharedFileSystem.shareTypes.list();
  return types.find(({ is_default }) => is_default)?.name ?? null;
}
