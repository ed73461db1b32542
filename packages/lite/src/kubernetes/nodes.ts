import { list, objects, text, time } from './object-values.ts';
import type { NodeObject } from './objects.ts';

export interface NodeFacts {
  name: string;
  role: 'server' | 'agent';
  ready: boolean;
  /**
   * The names of the current problems: `NotReady`, `MemoryPressure`, `DiskPressure`,
   * `PIDPressure`, `NetworkUnavailable`.
   */
  conditions: string[];
  /** Such as `v1.36.1+k3s1`; empty if the node has not reported it. */
  kubeletVersion: string;
  /** NVIDIA GPUs that the device plugin offers to pods, also those that pods have. */
  allocatableGpus: number;
  unschedulable: boolean;
  /** The job that has cordoned the node for an upgrade; null for a node that nobody or somebody else has. */
  cordonedBy: string | null;
  /**
   * When the node was created, in milliseconds since the epoch, if no cloud controller has initialised it
   * yet. Only pods that tolerate this start there. Null for any other node.
   */
  uninitializedSince: number | null;
}

const CONTROL_LABELS = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];
const PROBLEMS = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'];
/** Annotation of a node that a job has cordoned: the id of the job. */
export const CORDON_ANNOTATION = 'gateway/cordoned-by';
const GPU = 'nvidia.com/gpu';
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

/** Null for an object without a name. The object may be hostile, so every type is checked. */
export function factsOf(node: NodeObject): NodeFacts | null {
  const name = text(node?.metadata?.name);
  if (name === '') return null;
  const conditions = new Map(
    list(node.status?.conditions).map((condition) => [text(condition?.type), text(condition?.status)]),
  );
  const ready = conditions.get('Ready') === 'True';
  const labels: object = node.metadata?.labels ?? {};
  const isUninitialized = objects(node.spec?.taints).some(({ key }) => key === UNINITIALIZED);
  return {
    name,
    role: CONTROL_LABELS.some((label) => Object.hasOwn(labels, label)) ? 'server' : 'agent',
    ready,
    conditions: [
      ...(ready ? [] : ['NotReady']),
      ...PROBLEMS.filter((problem) => conditions.get(problem) === 'True'),
    ],
    kubeletVersion: text(node.status?.nodeInfo?.kubeletVersion),
    allocatableGpus: wholeNumber(node.status?.allocatable?.[GPU]),
    unschedulable: node.spec?.unschedulable === true,
    cordonedBy: text(node.metadata?.annotations?.[CORDON_ANNOTATION]) || null,
    uninitializedSince: isUninitialized ? time(node.metadata?.creationTimestamp) : null,
  };
}

/** A quantity of a resource that has no fractions; 0 for any other text. */
function wholeNumber(quantity: unknown): number {
  const digits = text(quantity);
  return /^\d{1,6}$/.test(digits) ? Number(digits) : 0;
}
