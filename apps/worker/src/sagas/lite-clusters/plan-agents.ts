import { conflict } from '@gateway/core';
import { hasNvidiaGpus } from '@gateway/inventory';
import { agentNodeName, type LiteCluster, nextAgentNumbers } from '@gateway/lite';
import { type FlavorRecord, type ImageRecord, isNotFound, smallestVolumeGb } from '@gateway/openstack';
import { checkQuotas, findImagesByNameOrId, readQuotas, requireOne } from '@gateway/resources';
import { reserveGpus } from '../resources/reserve-gpus.ts';
import type { AgentPlan } from './agent-steps.ts';
import type { LiteClusterContext } from './context.ts';
import { namesOfOtherMachines, requireFreeNodeNames } from './node-names.ts';
import { releaseNumbers } from './remove-node.ts';

/**
 * Decides what new agents of an ACTIVE cluster are made of, and their numbers.
 *
 * @throws before anything is created, if a flavor, an image or a part of a quota is missing, or a name is
 * taken
 */
export async function planAgents(
  context: LiteClusterContext,
  cluster: LiteCluster,
  count: number,
): Promise<AgentPlan> {
  const client = context.owner();
  const [image, flavor, keyName, quotas] = await Promise.all([
    findImage(context),
    findFlavor(context, cluster),
    findKeyPair(context, cluster),
    readQuotas(client, context.projectId, false),
  ]);
  const volumeSizeGb = Math.max(context.config.lite.agentVolumeSizeGb, smallestVolumeGb(image));
  checkQuotas(quotas, {
    instances: count,
    cores: count * flavor.vcpus,
    ram: count * flavor.ram,
    volumes: count,
    gigabytes: count * volumeSizeGb,
    ports: count,
  });
  await reserveGpus(context, [{ flavor, count }]);
  const held = await releaseNumbers(context, cluster, cluster.heldNumbers);
  const machines = await namesOfOtherMachines(context, cluster);
  const numbers = nextAgentNumbers(held, count, machines);
  const names = numbers.map((number) => agentNodeName(cluster, number));
  await requireFreeNodeNames(context, cluster, names);
  return {
    cluster: { id: cluster.id, name: cluster.name },
    imageId: image.id,
    flavorId: flavor.id,
    haveGpus: cluster.plugins.includes('gpu') && hasNvidiaGpus(flavor, context.config.gpu.devices),
    networkId: cluster.networkId ?? '',
    keyName,
    volumeSizeGb,
    numbers,
  };
}

async function findImage({ config, owner }: LiteClusterContext): Promise<ImageRecord> {
  const name = config.lite.image;
  const found = name === null ? [] : await findImagesByNameOrId(owner(), name);
  return requireOne(found, `image "${name}"`, {
    code: 'lite_not_configured',
    refusal: 'Clusters cannot grow here',
  });
}

async function findFlavor(
  { owner }: LiteClusterContext,
  { agentFlavorId }: LiteCluster,
): Promise<FlavorRecord> {
  try {
    return await owner().compute.flavors.get(agentFlavorId ?? '');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw conflict(
      'changed_meanwhile',
      `The flavor of the cluster's agents, ${agentFlavorId}, does not exist any more.`,
    );
  }
}

/** Key pairs belong to a user: agents that another member adds have none. */
async function findKeyPair(
  { logger, owner }: LiteClusterContext,
  { keyName }: LiteCluster,
): Promise<string | null> {
  if (keyName === null) return null;
  try {
    await owner().compute.keypairs.get(keyName);
    return keyName;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    logger.info('New agents get no key pair: the caller has none of that name');
    return null;
  }
}
