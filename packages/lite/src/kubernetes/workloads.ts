import { count, objects, text } from './object-values.ts';
import type { WorkloadObject } from './objects.ts';

/** The collections of the kinds of workloads, below `/apis`. */
export const workloadCollections = {
  Deployment: ['apps/v1', 'deployments'],
  DaemonSet: ['apps/v1', 'daemonsets'],
  StatefulSet: ['apps/v1', 'statefulsets'],
  Job: ['batch/v1', 'jobs'],
} as const;

export type WorkloadKind = keyof typeof workloadCollections;

export interface WorkloadFacts {
  kind: WorkloadKind;
  name: string;
  /** Whether the numbers are those of the current version of the object. */
  isCurrent: boolean;
  /** How many pods there should be. */
  desired: number;
  /** How many pods of the current version are available; of a job, how many have succeeded. */
  available: number;
  /** Why the controller creates no pods or has failed; null if it has no such problem. */
  problem: string | null;
}

/** Conditions with which a controller says that it cannot create pods or has failed. */
const PROBLEMS = ['ReplicaFailure', 'Failed'];
const MAX_MESSAGE = 2_000;

/** Null for an object without a name. The object may be hostile, so every type is checked. */
export function workloadFactsOf(kind: WorkloadKind, object: WorkloadObject): WorkloadFacts | null {
  const { metadata, spec, status } = object;
  const name = text(metadata?.name);
  if (name === '') return null;
  const isCurrent = kind === 'Job' || count(status?.observedGeneration) >= count(metadata?.generation);
  const condition = objects(status?.conditions).find(
    ({ type, status: value }) => PROBLEMS.includes(text(type)) && value === 'True',
  );
  const problem = condition && (text(condition.message, MAX_MESSAGE) || text(condition.reason));
  return { kind, name, isCurrent, ...podCounts(kind, spec, status), problem: problem ?? null };
}

function podCounts(
  kind: WorkloadKind,
  spec: WorkloadObject['spec'],
  status: WorkloadObject['status'],
): Pick<WorkloadFacts, 'desired' | 'available'> {
  switch (kind) {
    case 'Job':
      return { desired: count(spec?.completions, 1), available: count(status?.succeeded) };
    case 'DaemonSet':
      return {
        desired: count(status?.desiredNumberScheduled),
        available: Math.min(count(status?.updatedNumberScheduled), count(status?.numberAvailable)),
      };
    default:
      return {
        desired: count(spec?.replicas, 1),
        available: Math.min(count(status?.updatedReplicas), count(status?.availableReplicas)),
      };
  }
}

/** Whether all pods of the current version of a workload are available. */
export function isAvailable({ available, desired, isCurrent }: WorkloadFacts): boolean {
  return isCurrent && desired > 0 && available >= desired;
}
