import { conflict, GatewayError } from '@gateway/core';
import { clusterScalingProgress } from '@gateway/jobs';
import { agentNodeName, agentsToRemove, type LiteCluster, nextAgentNumbers } from '@gateway/lite';
import { type FlavorRecord, type ImageRecord, isNotFound } from '@gateway/openstack';
import type { AgentPlan } from '../../lite-clusters/agent-steps.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { requireFreeNodeNames } from '../../lite-clusters/node-names.ts';
import { releaseNumbers } from '../../lite-clusters/remove-node.ts';
import { findImagesByNameOrId } from '../../resources/find-by-name-or-id.ts';
import { checkQuotas, readQuotas } from '../../resources/quotas.ts';
import { reserveGpus } from '../../resources/reserve-gpus.ts';
import { smallestVolumeGb } from '../../resources/smallest-volume-gb.ts';
import { defineScaleStep, type ScaleLiteClusterState, type ScaleLiteClusterStepContext } from '../saga.ts';

type Plan = Pick<ScaleLiteClusterState, 'agentPlan' | 'removals' | 'securityGroupId'>;

/** Decides which agents come or go, and checks flavor and quotas for new ones before anything is created. */
export const planScaling = defineScaleStep<Plan>({
  name: 'plan',
  beginUpdate: {
    step: 'checking',
    progress: clusterScalingProgress.checking,
    message: 'The request is being checked.',
  },
  async run(context) {
    const { agentCount } = context.input;
    const cluster = await requireLiteCluster(context);
    if (cluster.status !== 'ACTIVE') throw conflict('The cluster is not ACTIVE.');
    const removals = agentsToRemove(cluster, agentCount);
    const added = Math.max(0, agentCount - cluster.agents.length);
    const agentPlan = added === 0 ? noAgents(cluster) : await planAgents(context, cluster, added);
    return { agentPlan, removals, securityGroupId: cluster.securityGroupId ?? '' };
  },
});

async function planAgents(
  context: ScaleLiteClusterStepContext,
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
  const numbers = nextAgentNumbers(held, count);
  const names = numbers.map((number) => agentNodeName(cluster, number));
  await requireFreeNodeNames(context, cluster, names);
  return {
    cluster: { id: cluster.id, name: cluster.name },
    imageId: image.id,
    flavorId: flavor.id,
    networkId: cluster.networkId ?? '',
    keyName,
    volumeSizeGb,
    numbers,
  };
}

function noAgents({ id, name }: LiteCluster): AgentPlan {
  const nothing = { imageId: '', flavorId: '', networkId: '', keyName: null, volumeSizeGb: 0 };
  return { cluster: { id, name }, ...nothing, numbers: [] };
}

async function findImage({ config, owner }: ScaleLiteClusterStepContext): Promise<ImageRecord> {
  const name = config.lite.image;
  const [image, ...more] = name === null ? [] : await findImagesByNameOrId(owner(), name);
  if (image !== undefined && more.length === 0) return image;
  throw new GatewayError(
    503,
    'lite_not_configured',
    `Clusters cannot grow here: there is ${image === undefined ? 'no' : 'more than one'} image "${name}".`,
  );
}

async function findFlavor(
  { owner }: ScaleLiteClusterStepContext,
  { agentFlavorId }: LiteCluster,
): Promise<FlavorRecord> {
  try {
    return await owner().compute.flavors.get(agentFlavorId ?? '');
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw conflict(`The flavor of the cluster's agents, ${agentFlavorId}, does not exist any more.`);
  }
}

/** Key pairs belong to a user: agents that another member adds have none. */
async function findKeyPair(
  { logger, owner }: ScaleLiteClusterStepContext,
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
