import { CLEANUP, jobType, MAINTENANCE, PROVISIONING } from './job-type.ts';
import type { ProgressMessage } from './progress-message.ts';

export interface ClusterCreation {
  clusterId: string;
  name: string;
  agentCount: number;
  /** By id or name. */
  agentFlavor: string;
  networkId: string | null;
  keyName: string | null;
  /** Names of the user's roles in the project. */
  roles: string[];
}

export interface ClusterScaling {
  clusterId: string;
  /** The requested number of agents. */
  agentCount: number;
}

export interface ClusterRepair {
  clusterId: string;
  /** The name of the agent that is replaced. */
  node: string;
  /** Also replaces an agent that may be alive. */
  force: boolean;
}

export interface ClusterCredentialReplacement {
  clusterId: string;
  /** The user of the new credential. */
  userId: string;
  /** Names of the user's roles in the project. */
  roles: string[];
}

export interface ClusterUpgrade {
  clusterId: string;
  /** The requested release of k3s. */
  version: string;
}

export interface ClusterDeletion {
  clusterId: string;
}

/** A check on demand. */
export interface ClusterHealthCheck {
  clusterId: string;
}

/** Steps of the creation stream, in the contract's order and with its numbers. */
export const clusterCreationProgress = {
  security_group: 10,
  server_volume: 30,
  server_creating: 60,
  waiting_callback: 80,
  completed: 100,
  failed: -1,
} as const;

/** Steps of a scaling. `nodes_removing` is repeated for each agent. The contract has no stream for them. */
export const clusterScalingProgress = {
  checking: 5,
  nodes_creating: 20,
  nodes_joining: 80,
  nodes_removing: 10,
  completed: 100,
  failed: -1,
} as const;

/** Steps of a repair. The contract has no stream for them. */
export const clusterRepairProgress = {
  checking: 5,
  nodes_creating: 20,
  nodes_joining: 60,
  nodes_removing: 80,
  completed: 100,
  failed: -1,
} as const;

/** Steps of a replacement of the credential. The contract has no stream for them. */
export const clusterCredentialProgress = {
  checking: 5,
  credential_creating: 20,
  credential_writing: 40,
  plugins_restarting: 50,
  credential_removing: 90,
  completed: 100,
  failed: -1,
} as const;

/**
 * Steps of an upgrade. `agents_upgrading` is repeated for each agent. The contract has no stream for them.
 */
export const clusterUpgradeProgress = {
  checking: 5,
  control_node_upgrading: 10,
  agents_upgrading: 30,
  plugins_upgrading: 90,
  completed: 100,
  failed: -1,
} as const;

/** Steps of a deletion. The contract has no stream for them. */
export const clusterDeletionProgress = {
  stopping: 5,
  load_balancers: 15,
  nodes: 30,
  machines: 40,
  resources: 70,
  completed: 100,
  failed: -1,
} as const;

/** One event of a job of a cluster. */
export interface ClusterMessage extends ProgressMessage {
  step:
    | keyof typeof clusterCreationProgress
    | keyof typeof clusterScalingProgress
    | keyof typeof clusterRepairProgress
    | keyof typeof clusterCredentialProgress
    | keyof typeof clusterUpgradeProgress
    | keyof typeof clusterDeletionProgress;
  cluster_id: string;
  error: string | null;
}

export const liteJobs = {
  'lite.create': jobType<ClusterCreation, ClusterMessage>({ ...PROVISIONING, resourceType: 'lite_cluster' }),
  'lite.credential': jobType<ClusterCredentialReplacement, ClusterMessage>({
    ...PROVISIONING,
    resourceType: 'lite_cluster',
  }),
  'lite.delete': jobType<ClusterDeletion, ClusterMessage>({
    ...CLEANUP,
    resourceType: 'lite_cluster',
    refusesCancellation: true,
  }),
  'lite.health': jobType<ClusterHealthCheck, ProgressMessage>({
    ...MAINTENANCE,
    resourceType: 'lite_cluster',
  }),
  'lite.repair': jobType<ClusterRepair, ClusterMessage>({ ...PROVISIONING, resourceType: 'lite_cluster' }),
  'lite.scale': jobType<ClusterScaling, ClusterMessage>({ ...PROVISIONING, resourceType: 'lite_cluster' }),
  'lite.upgrade': jobType<ClusterUpgrade, ClusterMessage>({ ...PROVISIONING, resourceType: 'lite_cluster' }),
};
