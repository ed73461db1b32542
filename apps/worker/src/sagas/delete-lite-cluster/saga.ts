import { clusterDeletionProgress, type Leftover } from '@gateway/jobs';
import type { KeptStorage, LiteCluster } from '@gateway/lite';
import { announcer, defineStep, type StepContext } from '../../saga/index.ts';
import type { LiteClusterContext } from '../lite-clusters/context.ts';

export interface DeleteLiteClusterContext extends LiteClusterContext {
  /** The user who deletes the cluster; null if the token has expired. */
  requesterId: string | null;
  /** Cancels the jobs that create or change the cluster; returns whether all of them have ended. */
  stopOtherJobs(cluster: LiteCluster): Promise<boolean>;
  /** Writes into the record what is left at the moment. */
  describeRest(leftovers: readonly Leftover[]): Promise<void>;
}

/** The resources of a cluster, found by the record and by their marks. */
export interface LiteClusterResources {
  agentVmIds: string[];
  /** The control node, and other servers that late calls have created. */
  serverVmIds: string[];
  volumeIds: string[];
  floatingIpIds: string[];
  portIds: string[];
  securityGroupIds: string[];
  credentials: { id: string; userId: string }[];
  /** Secrets of the key manager. */
  keyIds: string[];
}

/** A load balancer that a program in the cluster has created, and the floating IPs of its address. */
export interface ServiceLoadBalancer {
  id: string;
  /** The port of its address. */
  portId: string | null;
  /** Floating IPs that such a program has created too. */
  floatingIpIds: string[];
  /** Floating IPs that users have created: they are kept, but disassociated. */
  keptFloatingIpIds: string[];
}

/** The results of the steps. */
export interface DeleteLiteClusterState {
  /** The record when the deletion began; null if there is none. */
  cluster: LiteCluster | null;
  areStopped: boolean;
  loadBalancers: ServiceLoadBalancer[];
  /** What could not be searched for at first. The step `recheck` searches again. */
  loadBalancersUnsearched: Leftover[];
  loadBalancersLeft: Leftover[];
  nodesTried: boolean;
  resources: LiteClusterResources;
  resourcesUnsearched: Leftover[];
  machinesLeft: Leftover[];
  resourcesLeft: Leftover[];
  /** Resources that appeared while the cluster was being deleted. */
  lateLoadBalancers: ServiceLoadBalancer[];
  lateResources: LiteClusterResources;
  /** What could not be searched for at the end, and what later searches have found and not removed. */
  searchLeft: Leftover[];
  lateLeft: Leftover[];
  areRulesRemoved: boolean;
  keptStorage: KeptStorage;
  /** What could not be counted. */
  storageLeft: Leftover[];
  areSecretsDestroyed: boolean;
}

export type DeleteLiteClusterStepContext = StepContext<DeleteLiteClusterContext, DeleteLiteClusterState>;

export const defineDeleteStep = defineStep<DeleteLiteClusterContext, DeleteLiteClusterState>();

/** The progress update of a step's beginning. */
export const announce = announcer(clusterDeletionProgress);

/** The steps that need a record are skipped without one. */
export function hasRecord({ state }: DeleteLiteClusterStepContext): boolean {
  return state.cluster != null;
}

export function clusterOf({ state }: DeleteLiteClusterStepContext): LiteCluster {
  if (state.cluster == null) throw new Error('The record of the cluster is not known yet.');
  return state.cluster;
}
