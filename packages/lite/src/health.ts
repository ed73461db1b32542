import { toTimestamp } from '@gateway/core';
import type { LiteClusterHealth, NodeHealth } from './health-shape.ts';
import type { HealthStatus, Reachability } from './health-statuses.ts';
import type { ClusterFacts, NodeFacts } from './kubernetes/index.ts';
import { judgePlugins } from './plugin-health.ts';
import type { PluginKey } from './plugin-keys.ts';

export interface CheckedLiteCluster {
  id: string;
  name: string;
  reachability: Reachability;
  plugins: readonly PluginKey[];
  /** The names of the nodes of its agents. */
  agentNodes: readonly string[];
  /** In milliseconds since the epoch. Absent if not known. */
  certificateExpiresAt?: number;
}

/**
 * A cluster has at most 11 nodes of the gateway. Its owner can add more, but they must not fill the store.
 */
const MAX_NODES = 100;
/** The cloud controller usually initialises a node within a minute. */
const MAX_UNINITIALIZED_MS = 10 * 60_000;

/** Evaluates the results of a check. `checkedAt` is in milliseconds since the epoch. */
export function judgeHealth(
  { agentNodes, certificateExpiresAt, id, name, plugins, reachability }: CheckedLiteCluster,
  facts: ClusterFacts,
  checkedAt: number,
): LiteClusterHealth {
  const nodes = withMissing(agentNodes, facts.nodes);
  return {
    cluster_id: id,
    cluster_name: name,
    status: statusOf({ ...facts, nodes }),
    api_server_reachable: facts.reachable,
    healthz_ok: facts.healthzOk,
    nodes: nodes.slice(0, MAX_NODES).map((node) => presentNode(node, checkedAt)),
    plugins: judgePlugins(plugins, facts, checkedAt),
    checked_at: toTimestamp(checkedAt),
    certificate_expires_at: certificateExpiresAt === undefined ? null : toTimestamp(certificateExpiresAt),
    reachability,
  };
}

/** The health of a cluster without a result or without an address. */
export function unknownHealth({
  id,
  name,
  reachability,
}: Omit<CheckedLiteCluster, 'agentNodes' | 'plugins'>): LiteClusterHealth {
  return {
    cluster_id: id,
    cluster_name: name,
    status: 'UNKNOWN',
    api_server_reachable: false,
    healthz_ok: false,
    nodes: [],
    plugins: [],
    checked_at: null,
    certificate_expires_at: null,
    reachability,
  };
}

/** The nodes, and the agents without a node object: the cluster has lost them, or they have never joined. */
function withMissing(agentNodes: readonly string[], nodes: NodeFacts[]): NodeFacts[] {
  // None could be read.
  if (nodes.length === 0) return nodes;
  const missing = agentNodes.filter((agent) => nodes.every(({ name }) => name !== agent));
  return [...nodes, ...missing.map(missingNode)];
}

function missingNode(name: string): NodeFacts {
  return {
    name,
    role: 'agent',
    ready: false,
    conditions: ['NotRegistered'],
    kubeletVersion: '',
    allocatableGpus: 0,
    unschedulable: false,
    cordonedBy: null,
    uninitializedSince: null,
  };
}

function statusOf({ reachable, healthzOk, nodes }: ClusterFacts): HealthStatus {
  if (!reachable) return 'UNREACHABLE';
  const controlNodes = nodes.filter(({ role }) => role === 'server');
  const isControlled = controlNodes.length > 0 && controlNodes.every(({ ready }) => ready);
  if (!healthzOk || !isControlled) return 'UNHEALTHY';
  const readyCount = nodes.filter(({ ready }) => ready).length;
  if (readyCount === nodes.length) return 'HEALTHY';
  return readyCount * 2 >= nodes.length ? 'DEGRADED' : 'UNHEALTHY';
}

function presentNode(
  { name, role, ready, conditions, kubeletVersion, allocatableGpus, uninitializedSince }: NodeFacts,
  checkedAt: number,
): NodeHealth {
  const isStuck = uninitializedSince !== null && checkedAt - uninitializedSince > MAX_UNINITIALIZED_MS;
  const problems = isStuck ? [...conditions, 'NotInitialized'] : conditions;
  return {
    name,
    role,
    ready,
    conditions: problems,
    kubelet_version: kubeletVersion,
    allocatable_gpus: allocatableGpus,
  };
}
