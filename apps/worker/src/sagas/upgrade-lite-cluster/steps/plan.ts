import { conflict } from '@gateway/core';
import { clusterUpgradeProgress } from '@gateway/jobs';
import {
  agentNodeName,
  compareReleases,
  KubernetesError,
  type LiteCluster,
  type NodeFacts,
  requireRelease,
  serverNodeName,
} from '@gateway/lite';
import { networksOverlap } from '@gateway/platform';
import { ParkedError } from '../../../saga/index.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { planPlugins } from '../../lite-clusters/plan-plugins.ts';
import { requireClusterApi, retryPause } from '../cluster-api.ts';
import { defineUpgradeStep, type UpgradeLiteClusterStepContext, type UpgradePlan } from '../saga.ts';

/** Checks the release and the nodes, and looks up what the plugins need, before anything is changed. */
export const planUpgrade = defineUpgradeStep<{ upgradePlan: UpgradePlan }>({
  name: 'plan',
  beginUpdate: {
    step: 'checking',
    progress: clusterUpgradeProgress.checking,
    message: 'The request is being checked.',
  },
  onRepeat: 'idempotent',
  async run(context) {
    const { version } = context.input;
    const cluster = await requireLiteCluster(context);
    if (cluster.status !== 'ACTIVE') throw conflict('wrong_state', 'The cluster is not ACTIVE.');
    requireRelease(cluster, context.config.lite.k3s, version);
    const nodes = [
      serverNodeName(cluster),
      ...cluster.agents.map(({ number }) => agentNodeName(cluster, number)),
    ];
    const [found, plugins] = await Promise.all([
      listNodes(context, cluster),
      lookUpPlugins(context, cluster),
    ]);
    for (const name of nodes) requireUpgradable(name, found, version);
    const isRecorded = await context.liteClusters.update(cluster, { upgrade: { version } }, ['ACTIVE']);
    if (!isRecorded) throw conflict('wrong_state', 'The cluster is being deleted.');
    return { upgradePlan: { cluster: { id: cluster.id, name: cluster.name }, nodes, plugins } };
  },
});

/** @throws the last error after the retries of a step */
async function listNodes(context: UpgradeLiteClusterStepContext, cluster: LiteCluster): Promise<NodeFacts[]> {
  const api = await requireClusterApi(context, cluster);
  try {
    return await api.listNodes();
  } catch (error) {
    const { config, since } = context;
    const isOver = Date.now() > since + config.timeLimits.stepRetrySeconds * 1000;
    if (isOver || !(error instanceof KubernetesError)) throw error;
    throw new ParkedError(retryPause(context));
  } finally {
    api.close();
  }
}

/** @throws 409 for a node that is missing, not ready, or newer than the release */
function requireUpgradable(name: string, found: readonly NodeFacts[], version: string): void {
  const node = found.find((one) => one.name === name);
  if (node === undefined) throw conflict('unsuitable', `The cluster has no node ${name}.`);
  if (!node.ready) throw conflict('wrong_state', `The node ${name} is not ready.`);
  if (compareReleases(node.kubeletVersion, version) <= 0) return;
  throw conflict(
    'unsuitable',
    `The node ${name} has ${node.kubeletVersion} already, and no node can go back.`,
  );
}

/** The addresses of the plugins stay in the subnet of the control node, whatever other subnets there are. */
async function lookUpPlugins(
  context: UpgradeLiteClusterStepContext,
  { fixedIp, networkId, plugins, pluginStatus }: LiteCluster,
): Promise<UpgradePlan['plugins']> {
  if (plugins.length === 0) return null;
  const { network } = context.owner();
  const [found, subnets] = await Promise.all([
    network.networks.get(networkId ?? ''),
    network.subnets.list({ network_id: networkId ?? '' }),
  ]);
  const own = subnets.filter(({ cidr }) => fixedIp !== null && networksOverlap(cidr, `${fixedIp}/32`));
  return {
    plan: await planPlugins(context, plugins, found, own.length === 0 ? subnets : own),
    working: plugins.filter((key) => pluginStatus?.[key] !== 'failed'),
  };
}
