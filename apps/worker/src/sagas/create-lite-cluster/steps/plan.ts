import { GatewayError } from '@gateway/core';
import { hasNvidiaGpus } from '@gateway/inventory';
import { clusterCreationProgress } from '@gateway/jobs';
import { agentNodeName, pluginKeys, serverNodeName } from '@gateway/lite';
import {
  type FlavorRecord,
  type NetworkRecord,
  type SubnetRecord,
  smallestVolumeGb,
} from '@gateway/openstack';
import type { AgentPlan } from '../../lite-clusters/agent-steps.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { requireFreeNodeNames } from '../../lite-clusters/node-names.ts';
import { planPlugins } from '../../lite-clusters/plan-plugins.ts';
import { checkPlugins } from '../../lite-clusters/plugins.ts';
import { chooseNetwork, findExternalNetwork } from '../../resources/choose-network.ts';
import { requirePortMarks } from '../../resources/port-marks.ts';
import { checkQuotas, type QuotaDemand, readQuotas } from '../../resources/quotas.ts';
import { reserveGpus } from '../../resources/reserve-gpus.ts';
import { lookUp } from '../look-up.ts';
import { type CreateLiteClusterStepContext, defineCreateStep, type LiteClusterPlan } from '../saga.ts';
import { checkNodeUserData } from '../user-data.ts';

/** Checks everything that the cluster needs, and the quotas for all nodes, before anything is created. */
export const planCluster = defineCreateStep<{ plan: LiteClusterPlan; agentPlan: AgentPlan }>({
  name: 'plan',
  // The first event names the step after the checks, and is sent before the checks.
  beginUpdate: {
    step: 'security_group',
    progress: clusterCreationProgress.security_group,
    message: 'The request is being checked.',
  },
  async run(context) {
    const { config, input, projectId } = context;
    const { lite } = config;
    const client = context.owner();
    const cluster = await requireLiteCluster(context);
    if (context.endpoints !== null) checkPlugins(cluster.plugins, context.endpoints);
    const numbers = Array.from({ length: input.agentCount }, (_, index) => index + 1);
    const networkId = input.networkId ?? lite.networkId ?? config.instances.defaultNetworkId;
    const [found, network, quotas] = await Promise.all([
      lookUp(context),
      chooseNetwork(client, { projectId, networkId }),
      readQuotas(client, projectId, false),
      requirePortMarks(client),
      requireFreeNodeNames(context, cluster, [
        serverNodeName(cluster),
        ...numbers.map((number) => agentNodeName(cluster, number)),
      ]),
    ]);
    const [subnets, floatingIp] = await Promise.all([
      client.network.subnets.list({ network_id: network.id }),
      lite.floatingIp ? findFloatingNetwork(context, network) : null,
    ]);
    const smallest = smallestVolumeGb(found.image);
    const hasGpus = (flavor: FlavorRecord) =>
      lite.plugins.gpuEnabled && hasNvidiaGpus(flavor, config.gpu.devices);
    const serverHasGpus = hasGpus(found.serverFlavor);
    const haveGpus = hasGpus(found.agentFlavor);
    const plugins = pluginKeys.filter((key) =>
      key === 'gpu' ? serverHasGpus || haveGpus : cluster.plugins.includes(key),
    );
    const plan: LiteClusterPlan = {
      imageId: found.image.id,
      serverFlavorId: found.serverFlavor.id,
      serverHasGpus,
      serverVolumeSizeGb: Math.max(lite.serverVolumeSizeGb, smallest),
      networkId: network.id,
      subnetCidrs: subnets.map(({ cidr }: SubnetRecord) => cidr).filter((cidr) => cidr !== ''),
      floatingIp,
      plugins,
      pluginPlan: await planPlugins(context, plugins, network, subnets),
    };
    const agentPlan: AgentPlan = {
      cluster: { id: cluster.id, name: cluster.name },
      imageId: plan.imageId,
      flavorId: found.agentFlavor.id,
      haveGpus,
      networkId: network.id,
      keyName: input.keyName,
      volumeSizeGb: Math.max(lite.agentVolumeSizeGb, smallest),
      numbers,
    };
    const agentArguments = checkNodeUserData(context, { ...cluster, plugins }, plan);
    checkQuotas(quotas, demandOf(plan, agentPlan, found.serverFlavor, found.agentFlavor));
    await reserveGpus(context, [
      { flavor: found.serverFlavor, count: 1 },
      { flavor: found.agentFlavor, count: agentPlan.numbers.length },
    ]);
    await context.liteClusters.update(
      cluster,
      { networkId: network.id, agentFlavorId: agentPlan.flavorId, agentArguments, plugins },
      ['CREATING'],
    );
    return { plan, agentPlan };
  },
});

/** @throws 409 if no router connects the network to an external one */
async function findFloatingNetwork(
  { config, owner }: CreateLiteClusterStepContext,
  network: NetworkRecord,
): Promise<LiteClusterPlan['floatingIp']> {
  // The addresses of an external network are reachable from outside without a router.
  if (network['router:external']) return null;
  const external = await findExternalNetwork(owner(), network, config.instances.externalNetworkId);
  if (external.externalNetworkId !== null) return external;
  throw new GatewayError(
    400,
    'network_required',
    `No router connects the network ${network.name} to an external network, which the control node's floating IP needs.`,
    { errors: [{ field: 'body.network_id', message: 'must be connected to an external network' }] },
  );
}

/** What a cluster uses of the project's quotas. */
function demandOf(
  plan: LiteClusterPlan,
  { numbers, volumeSizeGb }: AgentPlan,
  serverFlavor: FlavorRecord,
  agentFlavor: FlavorRecord,
): QuotaDemand {
  const agents = numbers.length;
  return {
    instances: 1 + agents,
    cores: serverFlavor.vcpus + agents * agentFlavor.vcpus,
    ram: serverFlavor.ram + agents * agentFlavor.ram,
    volumes: 1 + agents,
    gigabytes: plan.serverVolumeSizeGb + agents * volumeSizeGb,
    ports: 1 + agents,
    'security groups': 1,
    'floating IPs': plan.floatingIp === null ? 0 : 1,
  };
}
