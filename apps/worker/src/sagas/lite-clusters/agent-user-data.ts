import { agentNodeFirstBootData, encodeUserData } from '@gateway/cloud-init';
import { apiServerUrl, type LiteCluster } from '@gateway/lite';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import type { LiteClusterContext } from './context.ts';

/** The first-boot data of an agent, encoded. Contains the join token, so it must not be stored. */
export async function agentUserData(
  { liteClusters, config }: Pick<LiteClusterContext, 'liteClusters' | 'config'>,
  cluster: LiteCluster,
  nodeName: string,
): Promise<string> {
  const token = await liteClusters.readSecret(cluster, 'nodeToken');
  if (token === null || cluster.fixedIp === null) throw new Error(`Cluster ${cluster.id} cannot be joined.`);
  const plan = {
    nodeName,
    k3s: { ...config.lite.k3s, version: releaseOf(cluster) ?? config.lite.k3s.version },
    serverUrl: apiServerUrl(cluster.fixedIp),
    token,
    agentArguments: cluster.agentArguments,
  };
  return encodeUserData(agentNodeFirstBootData(plan, firstBootSettings(config)), 'cluster');
}

/**
 * Agents must not be newer than their API server, but the configuration may name a newer release now than
 * when the cluster was created.
 */
function releaseOf({ k3sVersion }: LiteCluster): string | null {
  return k3sVersion !== null && /^v\d+\.\d+\.\d+\+k3s\d+$/.test(k3sVersion) ? k3sVersion : null;
}
