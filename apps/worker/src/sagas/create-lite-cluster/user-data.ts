import { readFileSync } from 'node:fs';
import { encodeUserData } from '@gateway/cloud-init';
import {
  CONTROL_NODE_CALLBACK_PATH,
  CONTROL_NODE_PROGRESS_PATH,
  type ControlNodePlan,
  checkControlNodeSize,
  controlNodeFirstBootData,
  gpuNodeArguments,
  KUBECONFIG_CALLBACK_PATH,
  type LiteCluster,
  liteClusterSettings,
  serverNodeName,
} from '@gateway/lite';
import { requireState } from '../../saga/index.ts';
import { nodeGpuPlan } from '../lite-clusters/agent-user-data.ts';
import { requireLiteCluster } from '../lite-clusters/context.ts';
import { aggregateFor } from '../lite-clusters/plugins.ts';
import { firstBootSettings } from '../resources/first-boot-settings.ts';
import { readFloatingIp } from './control-node-address.ts';
import type { CreateLiteClusterContext, CreateLiteClusterStepContext, LiteClusterPlan } from './saga.ts';

/**
 * The fraction of the report's time limit that the work may take. The rest is for the boot before the work
 * and for the report after it.
 */
const WORK_SHARE = 0.8;

/** The first-boot data of the control node, encoded. Contains secrets, so it must not be stored. */
export async function controlNodeUserData(
  context: CreateLiteClusterStepContext,
  tokens: { installation: string; renewal: string },
): Promise<string> {
  const { liteClusters, config, state } = context;
  const cluster = await requireLiteCluster(context);
  const { credentialId = null, keyId = null } = state;
  const secret = credentialId === null ? null : await liteClusters.readSecret(cluster, 'credentialSecret');
  const credential = credentialId === null || secret === null ? null : { id: credentialId, secret };
  const fixedIp = requireState(context, 'port').address;
  const floatingIp = await readFloatingIp(context);
  const plan = requireState(context, 'plan');
  const { version: k3sVersion } = config.lite.k3s;
  const known = knownPlan(context, cluster, { plan, credential, keyId, k3sVersion });
  const nodePlan = {
    ...known,
    nodeName: serverNodeName(cluster),
    tlsSans: [fixedIp, ...(floatingIp === null ? [] : [floatingIp])],
    address: floatingIp ?? fixedIp,
    callback: { ...known.callback, token: tokens.installation },
    renewal: { ...known.renewal, token: tokens.renewal },
    timeLimitSeconds: Math.ceil(config.timeLimits.liteCallbackSeconds * WORK_SHARE),
  };
  return encodeUserData(controlNodeFirstBootData(nodePlan, firstBootSettings(config)), 'cluster');
}

/**
 * Checks the first-boot data of the control node before anything is created. Returns the arguments of the
 * agents.
 *
 * @throws 400 if the first-boot data would be too long
 */
export function checkNodeUserData(
  context: CreateLiteClusterContext,
  cluster: LiteCluster,
  plan: LiteClusterPlan,
): string[] {
  const credential = { id: 'f'.repeat(32), secret: placeholder(64) };
  const { version: k3sVersion } = context.config.lite.k3s;
  const inputs = { plan, credential, keyId: 'f'.repeat(36), k3sVersion };
  checkControlNodeSize(knownPlan(context, cluster, inputs), firstBootSettings(context.config));
  return aggregateFor(context, cluster, { ...inputs, plan: plan.pluginPlan }).agentArguments;
}

type PluginInputs = Parameters<typeof aggregateFor>[2];

type KnownPlan = Pick<
  ControlNodePlan,
  'k3s' | 'registryCredentials' | 'serverArguments' | 'gpu' | 'files' | 'plugins'
> & {
  callback: Omit<ControlNodePlan['callback'], 'token'>;
  renewal: Omit<ControlNodePlan['renewal'], 'token'>;
};

/** The part of the plan that does not depend on the node's addresses. */
function knownPlan(
  context: CreateLiteClusterContext,
  cluster: LiteCluster,
  { plan, ...inputs }: Omit<PluginInputs, 'plan'> & { plan: LiteClusterPlan },
): KnownPlan {
  const { config } = context;
  const { caFile } = config.publicEndpoint;
  const { serverHasGpus } = plan;
  const { serverArguments, files, plugins } = aggregateFor(context, cluster, {
    ...inputs,
    plan: plan.pluginPlan,
  });
  const { publicUrl } = liteClusterSettings(config);
  return {
    k3s: config.lite.k3s,
    registryCredentials: config.secrets.registryCredentials,
    serverArguments: [
      `--cluster-cidr=${config.lite.podCidr}`,
      `--service-cidr=${config.lite.serviceCidr}`,
      ...serverArguments,
      ...(serverHasGpus ? gpuNodeArguments : []),
    ],
    gpu: serverHasGpus ? nodeGpuPlan(config) : null,
    files,
    plugins,
    callback: {
      url: `${publicUrl}${CONTROL_NODE_CALLBACK_PATH}`,
      progressUrl: `${publicUrl}${CONTROL_NODE_PROGRESS_PATH}`,
      caPem: caFile === null ? null : readFileSync(caFile, 'utf8'),
    },
    renewal: { url: `${publicUrl}${KUBECONFIG_CALLBACK_PATH}` },
  };
}

/** A placeholder that compresses as badly as a secret. */
function placeholder(length: number): string {
  return Array.from({ length }, (_, index) => ((index * 7919 + 13) % 36).toString(36)).join('');
}
