import { isDeepStrictEqual } from 'node:util';
import type { PluginMessages, PluginStatus } from './cluster.ts';
import type { ControlNodeReport } from './control-node-report.ts';
import { describeController, describePodProblem } from './describe-pod-problem.ts';
import type { PluginHealth } from './health-shape.ts';
import { PLUGIN_HEALTH_STATUSES, type PluginHealthStatus } from './health-statuses.ts';
import {
  type ClusterFacts,
  compareProblems,
  isAvailable,
  type PodProblem,
  type PodStatusObject,
  podProblemOf,
  type WorkloadFacts,
} from './kubernetes/index.ts';
import type { PluginKey } from './plugin-keys.ts';
import { type PluginWorkload, pluginWorkloads } from './plugins/index.ts';

interface WorkloadHealth {
  status: PluginHealthStatus;
  message: string | null;
}

/** A pod that takes longer to start has failed. */
const MAX_STARTING_MS = 10 * 60_000;
/** The longest time for which Kubernetes delays the restart of a program, twice. */
const RECENT_CRASH_MS = 10 * 60_000;

/** Evaluates what a check has read; empty if the plugins could not be read. */
export function judgePlugins(
  keys: readonly PluginKey[],
  facts: ClusterFacts,
  checkedAt: number,
): PluginHealth[] {
  const { workloads } = facts;
  if (workloads === null) return [];
  // The problems of a node that is not ready are shown there.
  const unready = new Set(facts.nodes.filter(({ ready }) => !ready).map(({ name }) => name));
  return keys.map((name) => {
    const judged = pluginWorkloads(name).map((workload) => {
      const found = workloads.found.find((one) => one.kind === workload.kind && one.name === workload.name);
      const problems = workloads.pods
        .filter(({ app, node }) => app === workload.app && !unready.has(node))
        .flatMap(({ problem }) => problem ?? [])
        .filter(({ at, kind }) => kind !== 'restart' || isRecent(at, checkedAt, RECENT_CRASH_MS));
      return judgeWorkload(workload, found, problems.sort(compareProblems)[0], checkedAt);
    });
    const status = PLUGIN_HEALTH_STATUSES.find((one) => judged.some((workload) => workload.status === one));
    const messages = judged
      .filter((workload) => workload.status === status)
      .flatMap(({ message }) => message ?? []);
    return { name, status: status ?? 'available', message: messages.join(' ') || null };
  });
}

function judgeWorkload(
  { kind, name, isForSomeNodes }: PluginWorkload,
  found: WorkloadFacts | undefined,
  problem: PodProblem | undefined,
  checkedAt: number,
): WorkloadHealth {
  const judged = (status: PluginHealthStatus, reason: string) => ({ status, message: `${name}: ${reason}.` });
  if (found === undefined) return judged('missing', `there is no ${kind} of this name`);
  const { available, desired, isCurrent } = found;
  const isComplete = isAvailable(found) || (isForSomeNodes && isUnneeded(found));
  if (isComplete && problem?.kind === 'restart') return judged('progressing', describePodProblem(problem));
  if (isComplete) return { status: 'available', message: null };
  if (problem !== undefined) {
    const isWaiting = problem.kind === 'restart' || problem.kind === 'starting';
    const hasFailed = !isWaiting || !isRecent(problem.at ?? checkedAt, checkedAt, MAX_STARTING_MS);
    return judged(hasFailed ? 'failed' : 'progressing', describePodProblem(problem));
  }
  if (found.problem !== null) return judged('failed', describeController(found.problem));
  if (isCurrent && desired === 0) return judged('failed', 'it runs on no node');
  if (kind === 'Job') return judged('progressing', 'it has not finished yet');
  return judged('progressing', `${available} of ${desired} pods are available`);
}

/** Whether no node of the cluster needs a pod of the workload. */
function isUnneeded({ desired, isCurrent, problem }: WorkloadFacts): boolean {
  return isCurrent && desired === 0 && problem === null;
}

/**
 * The status of each plugin in the cluster's record after a check, with the reasons of those that have
 * failed; null without a change. A plugin that is progressing keeps its status.
 */
export function pluginStatusAfter(
  before: { pluginStatus: PluginStatus | null; pluginMessages: PluginMessages | null },
  plugins: readonly PluginHealth[],
): { pluginStatus: PluginStatus; pluginMessages: PluginMessages } | null {
  const pluginStatus = { ...before.pluginStatus };
  const pluginMessages = { ...before.pluginMessages };
  for (const { name, status, message } of plugins) {
    if (status === 'progressing') continue;
    pluginStatus[name] = status === 'available' ? 'deployed' : 'failed';
    if (message === null) delete pluginMessages[name];
    else pluginMessages[name] = message;
  }
  const isSame =
    isDeepStrictEqual(pluginStatus, { ...before.pluginStatus }) &&
    isDeepStrictEqual(pluginMessages, { ...before.pluginMessages });
  return isSame ? null : { pluginStatus, pluginMessages };
}

/**
 * The results of the enabled plugins in the report of a control node. A plugin that the report does not
 * mention was not installed.
 */
export function reportedPlugins(
  keys: readonly PluginKey[],
  { plugin_status = {}, plugin_pods = {} }: ControlNodeReport,
): { pluginStatus: PluginStatus; pluginMessages: PluginMessages } {
  const failed = keys.filter((key) => plugin_status[key] !== 'deployed');
  return {
    pluginStatus: Object.fromEntries(keys.map((key) => [key, failed.includes(key) ? 'failed' : 'deployed'])),
    pluginMessages: Object.fromEntries(failed.map((key) => [key, reportedMessage(plugin_pods[key])])),
  };
}

function reportedMessage(pods: readonly PodStatusObject[] | undefined): string {
  if (pods === undefined) return 'The plugin was not installed: the log of the control node says why.';
  const [problem] = pods.flatMap((status) => podProblemOf(status) ?? []).sort(compareProblems);
  const reason = problem === undefined ? '' : `: ${describePodProblem(problem)}`;
  return `The plugin did not become available in time${reason}.`;
}

function isRecent(at: number | null, now: number, ms: number): boolean {
  return at !== null && now - at < ms;
}
