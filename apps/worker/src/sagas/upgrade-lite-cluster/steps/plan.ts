import { conflict } from '@gateway/core';
import {
  agentNodeName,
  compareReleases,
  type KubernetesApi,
  KubernetesError,
  type LiteCluster,
  type NodeFacts,
  pluginsUseCredential,
  requireRelease,
  serverNodeName,
} from '@gateway/lite';
import { networksOverlap } from '@gateway/platform';
import { ParkedError } from '../../../saga/index.ts';
import { chooseSubnet } from '../../lite-clusters/choose-subnet.ts';
import { requireLiteCluster } from '../../lite-clusters/context.ts';
import { planPlugins } from '../../lite-clusters/plan-plugins.ts';
import { readFloatingNetwork, requireInSecrets } from '../../lite-clusters/plugin-secrets.ts';
import { releaseNumbers } from '../../lite-clusters/remove-node.ts';
import { requireClusterApi, retryPause } from '../cluster-api.ts';
import {
  announce,
  defineUpgradeStep,
  type UpgradeLiteClusterStepContext,
  type UpgradePlan,
} from '../saga.ts';

/** Checks the release and the nodes, and looks up what the plugins need, before anything is changed. */
export const planUpgrade = defineUpgradeStep<{ upgradePlan: UpgradePlan }>({
  name: 'plan',
  beginUpdate: announce('checking', 'The request is being checked.'),
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
    const { found, floatingNetworkId } = await lookAtCluster(context, cluster);
    const plugins = await lookUpPlugins(context, cluster, floatingNetworkId);
    for (const name of nodes) requireUpgradable(name, found, version);
    // The node of a machine that is gone would let the plugins wait for a pod on it.
    await releaseNumbers(context, cluster, cluster.heldNumbers);
    const isRecorded = await context.liteClusters.update(cluster, { upgrade: { version } }, ['ACTIVE']);
    if (!isRecorded) throw conflict('wrong_state', 'The cluster is being deleted.');
    return { upgradePlan: { cluster: { id: cluster.id, name: cluster.name }, nodes, plugins } };
  },
});

/**
 * The nodes of the cluster, and what its plugins know.
 *
 * @throws the last error after the retries of a step; 409 if the plugins have another credential
 */
async function lookAtCluster(
  context: UpgradeLiteClusterStepContext,
  cluster: LiteCluster,
): Promise<{ found: NodeFacts[]; floatingNetworkId: string | null | undefined }> {
  const api = await requireClusterApi(context, cluster);
  try {
    await requireCredential(context, cluster, api);
    return { found: await api.listNodes(), floatingNetworkId: await readFloatingNetwork(api, cluster) };
  } catch (error) {
    const { config, since } = context;
    const isOver = Date.now() > since + config.timeLimits.stepRetrySeconds * 1000;
    if (isOver || !(error instanceof KubernetesError)) throw error;
    throw new ParkedError(retryPause(context));
  } finally {
    api.close();
  }
}

/**
 * The objects of the plugins, which the upgrade applies, contain the credential in the record. A store that
 * was set back does not know the one that has replaced it since. An upgrade to the release of the cluster
 * nevertheless writes that of the record, which can then be replaced.
 */
async function requireCredential(
  { input, liteClusters }: UpgradeLiteClusterStepContext,
  cluster: LiteCluster,
  api: KubernetesApi,
): Promise<void> {
  const { credential, k3sVersion } = cluster;
  if (credential === null || input.version === k3sVersion) return;
  const secret = await liteClusters.readSecret(cluster, 'credentialSecret');
  if (secret !== null) await requireInSecrets(api, cluster, { id: credential.id, secret }, 'allowed');
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

/**
 * The addresses of the plugins stay in the subnet of the control node, whatever other subnets there are.
 * Services stay internal or public, whatever routers there are by now: the cloud controller would make
 * internal ones public, or delete floating IPs.
 */
async function lookUpPlugins(
  context: UpgradeLiteClusterStepContext,
  { fixedIp, isCredentialLost, networkId, plugins, pluginStatus }: LiteCluster,
  floatingNetworkId: string | null | undefined,
): Promise<UpgradePlan['plugins']> {
  if (plugins.length === 0) return null;
  const { network } = context.owner();
  const [found, subnets] = await Promise.all([
    network.networks.get(networkId ?? ''),
    network.subnets.list({ network_id: networkId ?? '' }),
  ]);
  const own = subnets.find(({ cidr }) => fixedIp !== null && networksOverlap(cidr, `${fixedIp}/32`));
  const subnet = own ?? chooseSubnet(context.config.lite, found, subnets);
  const plan = await planPlugins(context, plugins, found, subnet);
  return {
    plan: {
      ...plan,
      floatingNetworkId:
        floatingNetworkId === null ? null : (plan.floatingNetworkId ?? floatingNetworkId ?? null),
    },
    working: plugins.filter(
      (key) => pluginStatus?.[key] !== 'failed' && !(isCredentialLost && pluginsUseCredential([key])),
    ),
  };
}
