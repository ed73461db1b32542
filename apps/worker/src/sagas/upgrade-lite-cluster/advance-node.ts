import { GatewayError } from '@gateway/core';
import {
  describePodProblem,
  type KubernetesApi,
  type NodeFacts,
  nodeRegistries,
  nodeUpgradeCommand,
  type PodRun,
  REGISTRIES_VARIABLE,
  UPGRADE_JOB_ANNOTATION,
  UPGRADE_NAMESPACE,
  upgradePod,
  upgradePodName,
  upgradeSecret,
} from '@gateway/lite';
import { awaitInCluster } from './cluster-api.ts';
import type { NodeUpgrade, UpgradeLiteClusterContext } from './saga.ts';

type Role = 'server' | 'agent';

/** The exit code of an upgrade that has failed. Any other one is that of an interrupted pod. */
const FAILED = 1;

/**
 * Brings the upgrade of a node as far as its state permits, and parks the job until it is complete. All but
 * the phase is read from the cluster, so that each run continues where another one was interrupted.
 *
 * @param begin records that another phase begins
 * @throws 502 with the node and the reason if it fails or takes too long
 */
export async function advanceNode(
  context: UpgradeLiteClusterContext,
  role: Role,
  current: () => NodeUpgrade,
  begin: (phase: NodeUpgrade['phase']) => Promise<void>,
): Promise<void> {
  const { liteUpgradeDrainSeconds: drainSeconds, liteUpgradeNodeSeconds: nodeSeconds } =
    context.config.timeLimits;
  await awaitInCluster(
    context,
    async (api) => {
      if (current().phase === 'draining') {
        const problem = await drain(context, api, current().name);
        if (problem !== null) return problem;
        await begin('upgrading');
      }
      if (current().phase === 'upgrading') {
        const problem = await upgrade(context, api, current().name, role);
        if (problem !== null) return problem;
        // From here on a missing pod is one that has ended.
        await begin('upgraded');
      }
      await cleanUp(api, current().name, context.jobId);
      return null;
    },
    () => {
      const { name, phase, phaseSince } = current();
      const isDraining = phase === 'draining';
      return {
        deadline: phaseSince + (isDraining ? drainSeconds : nodeSeconds) * 1000,
        late: (problem) =>
          failure(
            `The node ${name} could not be ${isDraining ? 'drained' : 'upgraded'} in time: ${problem}.`,
          ),
      };
    },
  );
}

/** A node that has the release already needs no drain. Returns what is missing; null for nothing. */
async function drain(
  { input, jobId }: UpgradeLiteClusterContext,
  api: KubernetesApi,
  name: string,
): Promise<string | null> {
  if (isUpgraded(await requireNode(api, name), input.version)) return null;
  await api.cordonFor(name, jobId);
  const { pods, blocked } = await api.evictPods(name);
  const [first, ...others] = pods;
  if (first === undefined) return null;
  const which = others.length === 0 ? `the pod ${first}` : `the pod ${first} and ${others.length} more`;
  return blocked > 0 ? `a disruption budget protects ${which}` : `${which} did not end`;
}

/**
 * Lets the node take pods again, and deletes what the upgrade has created in the cluster. A late rollback
 * leaves what belongs to a later job.
 */
export async function cleanUp(api: KubernetesApi, name: string, jobId: string): Promise<void> {
  await api.uncordonMarked(name, jobId);
  const pod = await api.getPod(UPGRADE_NAMESPACE, upgradePodName(name));
  if (pod !== null && !isOf(pod, jobId)) return;
  await api.deletePod(UPGRADE_NAMESPACE, upgradePodName(name));
  await api.deleteSecret(UPGRADE_NAMESPACE, upgradePodName(name));
}

/**
 * Returns what is missing; null once the pod has ended and the node is ready with the release. A node that
 * has the release gets a pod, too: its registries may have changed.
 */
async function upgrade(
  context: UpgradeLiteClusterContext,
  api: KubernetesApi,
  name: string,
  role: Role,
): Promise<string | null> {
  const { input, jobId } = context;
  const podName = upgradePodName(name);
  const node = await requireNode(api, name);
  const pod = await api.getPod(UPGRADE_NAMESPACE, podName);
  if (pod !== null && (!isOf(pod, jobId) || isInterrupted(pod))) {
    await api.deletePod(UPGRADE_NAMESPACE, podName);
    return 'its pod has to begin again';
  }
  if (pod === null) {
    await createPod(context, api, name, role);
    return 'its pod has not started';
  }
  if (pod.phase === 'failed') throw failure(`The node ${name} could not be upgraded: ${lastLine(pod)}.`);
  if (pod.phase === 'running')
    return pod.problem === null ? 'its pod has not ended' : describePodProblem(pod.problem);
  return isUpgraded(node, input.version) ? null : `it is not ready with ${input.version}`;
}

/** The credentials of mirrors are in a secret, because more users may read pods than secrets. */
async function createPod(
  context: UpgradeLiteClusterContext,
  api: KubernetesApi,
  name: string,
  role: Role,
): Promise<void> {
  const { config, jobId } = context;
  const { registryCredentials } = config.secrets;
  const registries = nodeRegistries({ k3s: config.lite.k3s, registryCredentials });
  if (registries !== null) await api.apply(upgradeSecret(name, registries));
  const variable = registries === null ? null : REGISTRIES_VARIABLE;
  await api.createPod(upgradePod(name, jobId, commandFor(context, name, role), variable));
}

function commandFor({ config, input, jobId }: UpgradeLiteClusterContext, nodeName: string, role: Role) {
  return nodeUpgradeCommand({
    jobId,
    role,
    nodeName,
    k3s: { ...config.lite.k3s, version: input.version },
  });
}

function isUpgraded({ kubeletVersion, ready }: NodeFacts, version: string): boolean {
  return ready && kubeletVersion === version;
}

function isOf({ annotations }: PodRun, jobId: string): boolean {
  return annotations[UPGRADE_JOB_ANNOTATION] === jobId;
}

/** A reboot of the machine ends the pod, but not the upgrade. */
function isInterrupted({ phase, exitCode }: PodRun): boolean {
  return phase === 'failed' && exitCode !== FAILED;
}

async function requireNode(api: KubernetesApi, name: string): Promise<NodeFacts> {
  const node = await api.getNode(name);
  if (node === null) throw failure(`The node ${name} could not be upgraded: the cluster has no such node.`);
  return node;
}

function lastLine({ message }: PodRun): string {
  return message.trim().split('\n').at(-1) || 'its pod has failed without a message';
}

function failure(detail: string): GatewayError {
  return new GatewayError(502, 'lite_upgrade_failed', detail);
}
