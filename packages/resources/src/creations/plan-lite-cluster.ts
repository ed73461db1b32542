import { GatewayError } from '@gateway/core';
import type { ClusterCreation } from '@gateway/jobs';
import {
  type FlavorRecord,
  type ImageRecord,
  type NetworkRecord,
  smallestVolumeGb,
} from '@gateway/openstack';
import { chooseNetwork, type ExternalNetwork, findExternalNetwork } from './choose-network.ts';
import type { CreationContext } from './creation-context.ts';
import type { QuotaDemand } from './project-quotas.ts';

type NetworkContext = CreationContext<Pick<ClusterCreation, 'networkId'>>;

/** What a cluster is made of. */
interface PlannedCluster {
  image: ImageRecord;
  serverFlavor: FlavorRecord;
  agentFlavor: FlavorRecord;
  agentCount: number;
  hasFloatingIp: boolean;
  securityRules: number;
}

/** The sizes of the volumes of the nodes. */
export function nodeVolumeSizes({ config }: Pick<NetworkContext, 'config'>, image: ImageRecord) {
  const smallest = smallestVolumeGb(image);
  return {
    serverVolumeSizeGb: Math.max(config.lite.serverVolumeSizeGb, smallest),
    agentVolumeSizeGb: Math.max(config.lite.agentVolumeSizeGb, smallest),
  };
}

export function chooseClusterNetwork({
  config,
  input,
  owner,
  projectId,
}: NetworkContext): Promise<NetworkRecord> {
  const networkId = input.networkId ?? config.lite.networkId ?? config.instances.defaultNetworkId;
  return chooseNetwork(owner(), { projectId, networkId });
}

/**
 * The network of the control node's floating IP; null for none.
 *
 * @throws 400 if no router connects the network to an external one
 */
export async function findFloatingNetwork(
  { config, owner }: Pick<NetworkContext, 'config' | 'owner'>,
  network: NetworkRecord,
): Promise<ExternalNetwork | null> {
  // The addresses of an external network are reachable from outside without a router.
  if (!config.lite.floatingIp || network['router:external']) return null;
  const external = await findExternalNetwork(owner(), network.id, config.instances.externalNetworkId);
  if (external.externalNetworkId !== null) return external;
  throw new GatewayError(
    400,
    'network_required',
    `No router connects the network ${network.name} to an external network, which the control node's floating IP needs.`,
    { errors: [{ field: 'body.network_id', message: 'must be connected to an external network' }] },
  );
}

/** What a cluster uses of the project's quotas. */
export function clusterQuotaDemand(
  context: Pick<NetworkContext, 'config'>,
  { image, serverFlavor, agentFlavor, agentCount, hasFloatingIp, securityRules }: PlannedCluster,
): QuotaDemand {
  const { serverVolumeSizeGb, agentVolumeSizeGb } = nodeVolumeSizes(context, image);
  return {
    instances: 1 + agentCount,
    cores: serverFlavor.vcpus + agentCount * agentFlavor.vcpus,
    ram: serverFlavor.ram + agentCount * agentFlavor.ram,
    volumes: 1 + agentCount,
    gigabytes: serverVolumeSizeGb + agentCount * agentVolumeSizeGb,
    ports: 1 + agentCount,
    'security groups': 1,
    'security group rules': securityRules,
    'floating IPs': hasFloatingIp ? 1 : 0,
  };
}
