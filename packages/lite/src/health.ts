import { toTimestamp } from '@gateway/core';
import type { ClusterFacts, NodeFacts } from './kubernetes/index.ts';
import { judgePlugins, type PluginHealth } from './plugin-health.ts';
import type { PluginKey } from './plugin-keys.ts';

export const HEALTH_STATUSES = ['HEALTHY', 'DEGRADED', 'UNHEALTHY', 'UNREACHABLE', 'UNKNOWN'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** Which address of the control node the gateway uses. */
export const REACHABILITIES = ['floating_ip', 'fixed_ip', 'none'] as const;
export type Reachability = (typeof REACHABILITIES)[number];

/** The health of a cluster in the shape of the interface. */
export interface LiteClusterHealth {
  cluster_id: string;
  cluster_name: string;
  status: HealthStatus;
  api_server_reachable: boolean;
  healthz_ok: boolean;
  nodes: NodeHealth[];
  /** In the order of their installation; empty if they could not be read. */
  plugins: PluginHealth[];
  /** Null when there is no result. */
  checked_at: string | null;
  /** When the first certificate of the configuration file expires; null if that is not known. */
  certificate_expires_at: string | null;
  reachability: Reachability;
}

interface NodeHealth {
  name: string;
  role: 'server' | 'agent';
  ready: boolean;
  /**
   * The names of the current problems: those that the node reports, and `NotInitialized` for a node that no
   * cloud controller has initialised ten minutes after its creation. They do not change the status.
   */
  conditions: string[];
  kubelet_version: string;
  /** NVIDIA GPUs that the device plugin offers to pods. */
  allocatable_gpus: number;
}

export interface CheckedLiteCluster {
  id: string;
  name: string;
  reachability: Reachability;
  plugins: readonly PluginKey[];
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
  { certificateExpiresAt, id, name, plugins, reachability }: CheckedLiteCluster,
  facts: ClusterFacts,
  checkedAt: number,
): LiteClusterHealth {
  return {
    cluster_id: id,
    cluster_name: name,
    status: statusOf(facts),
    api_server_reachable: facts.reachable,
    healthz_ok: facts.healthzOk,
    nodes: facts.nodes.slice(0, MAX_NODES).map((node) => presentNode(node, checkedAt)),
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
}: Omit<CheckedLiteCluster, 'plugins'>): LiteClusterHealth {
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
