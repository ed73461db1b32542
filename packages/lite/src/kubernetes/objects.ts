/**
 * The parts of Kubernetes objects that the gateway reads. A hostile server may send anything in their place.
 */

export interface NodeObject {
  metadata?: {
    name?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    creationTimestamp?: string;
  };
  spec?: { unschedulable?: boolean; taints?: { key?: string }[] };
  status?: {
    conditions?: { type?: string; status?: string }[];
    nodeInfo?: { kubeletVersion?: string };
    allocatable?: Record<string, string>;
  };
}

export interface PodObject {
  metadata?: {
    namespace?: string;
    name?: string;
    uid?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    ownerReferences?: { controller?: boolean; kind?: string }[];
  };
  spec?: { nodeName?: string };
  status?: PodStatusObject;
}

export interface PodStatusObject {
  phase?: string;
  startTime?: string;
  conditions?: ConditionObject[];
  initContainerStatuses?: ContainerStatusObject[];
  containerStatuses?: ContainerStatusObject[];
}

export interface ContainerStatusObject {
  name?: string;
  image?: string;
  restartCount?: number;
  state?: ContainerStateObject;
  lastState?: ContainerStateObject;
}

interface ContainerStateObject {
  waiting?: { reason?: string; message?: string };
  terminated?: TerminatedObject;
}

export interface TerminatedObject {
  exitCode?: number;
  reason?: string;
  message?: string;
  finishedAt?: string;
}

interface ConditionObject {
  type?: string;
  status?: string;
  reason?: string;
  message?: string;
}

export interface SecretObject {
  metadata?: { resourceVersion?: string };
  /** In Base64. */
  data?: Record<string, string>;
}

/** A Deployment, DaemonSet, StatefulSet or Job. */
export interface WorkloadObject {
  metadata?: { name?: string; generation?: number };
  spec?: { replicas?: number; completions?: number };
  status?: {
    observedGeneration?: number;
    conditions?: ConditionObject[];
    updatedReplicas?: number;
    availableReplicas?: number;
    desiredNumberScheduled?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
    succeeded?: number;
  };
}

export interface ListOf<T> {
  items?: T[];
}
