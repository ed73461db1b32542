import { hasNvidiaGpus } from '@gateway/inventory';
import {
  agentNodeName,
  liteClusterSettings,
  pluginKeys,
  requireFreeBalancerNames,
  securityRuleCount,
  serverNodeName,
} from '@gateway/lite';
import type { FlavorRecord, SubnetRecord } from '@gateway/openstack';
import {
  checkQuotas,
  chooseClusterNetwork,
  clusterQuotaDemand,
  findFloatingNetwork,
  findForLiteCluster,
  nodeVolumeSizes,
  readQuotas,
} from '@gateway/resources';
import type { AgentPlan } from '../../lite-clusters/agent-steps.ts';
import { chooseSubnet } from '../../lite-clusters/choose-subnet.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { requireFreeNodeNames } from '../../lite-clusters/node-names.ts';
import { planPlugins } from '../../lite-clusters/plan-plugins.ts';
import { checkPlugins, requireShareType } from '../../lite-clusters/plugins.ts';
import { requirePortMarks } from '../../resources/port-marks.ts';
import { reserveGpus } from '../../resources/reserve-gpus.ts';
import { announce, defineCreateStep, type LiteClusterPlan } from '../saga.ts';
import { checkNodeUserData } from '../user-data.ts';

/** Checks everything that the cluster needs, and the quotas for all nodes, before anything is created. */
export const planCluster = defineCreateStep<{ plan: LiteClusterPlan; agentPlan: AgentPlan }>({
  name: 'plan',
  // The first event names the step after the checks, and is sent before the checks.
  beginUpdate: announce('security_group', 'The request is being checked.'),
  async run(context) {
    const { config, input, projectId } = context;
    const { lite } = config;
    const client = context.owner();
    const cluster = await requireLiteCluster(context);
    if (context.endpoints !== null) checkPlugins(cluster.plugins, context.endpoints);
    const numbers = Array.from({ length: input.agentCount }, (_, index) => index + 1);
    const [found, network, quotas] = await Promise.all([
      findForLiteCluster(context, liteClusterSettings(config)),
      chooseClusterNetwork(context),
      readQuotas(client, projectId, false),
      requirePortMarks(client),
      requireFreeNodeNames(context, cluster, [
        serverNodeName(cluster),
        ...numbers.map((number) => agentNodeName(cluster, number)),
      ]),
      requireFreeBalancerNames({ client, projectId, cluster }),
    ]);
    const [subnets, floatingIp] = await Promise.all([
      client.network.subnets.list({ network_id: network.id }),
      findFloatingNetwork(context, network),
    ]);
    const volumeSizes = nodeVolumeSizes(context, found.image);
    const hasGpus = (flavor: FlavorRecord) =>
      lite.plugins.gpuEnabled && hasNvidiaGpus(flavor, config.gpu.devices);
    const serverHasGpus = hasGpus(found.serverFlavor);
    const haveGpus = hasGpus(found.agentFlavor);
    const plugins = pluginKeys.filter((key) =>
      key === 'gpu' ? serverHasGpus || haveGpus : cluster.plugins.includes(key),
    );
    const subnet = chooseSubnet(lite, network, subnets);
    const pluginPlan = await planPlugins(context, plugins, network, subnet);
    requireShareType(plugins, pluginPlan);
    const plan: LiteClusterPlan = {
      imageId: found.image.id,
      serverFlavorId: found.serverFlavor.id,
      serverHasGpus,
      serverVolumeSizeGb: volumeSizes.serverVolumeSizeGb,
      networkId: network.id,
      subnetCidrs: subnets.map(({ cidr }: SubnetRecord) => cidr).filter((cidr) => cidr !== ''),
      floatingIp,
      plugins,
      pluginPlan,
    };
    const agentPlan: AgentPlan = {
      cluster: { id: cluster.id, name: cluster.name },
      imageId: plan.imageId,
      flavorId: found.agentFlavor.id,
      haveGpus,
      networkId: network.id,
      keyName: input.keyName,
      volumeSizeGb: volumeSizes.agentVolumeSizeGb,
      numbers,
    };
    const agentArguments = checkNodeUserData(context, { ...cluster, plugins }, plan);
    const { agentCount } = input;
    const securityRules = securityRuleCount({
      subnetCidrs: plan.subnetCidrs,
      allowedFrom: lite.allowedFrom,
      hasKeyPair: input.keyName !== null,
    });
    checkQuotas(
      quotas,
      clusterQuotaDemand(context, {
        ...found,
        agentCount,
        hasFloatingIp: floatingIp !== null,
        securityRules,
      }),
    );
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
