import { type KubernetesObject, namespace } from './object.ts';

export interface Container {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: Record<string, unknown>[];
  ports?: { name: string; containerPort: number }[];
  livenessProbe?: Record<string, unknown>;
  resources?: Record<string, unknown>;
  securityContext?: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean; mountPropagation?: string }[];
}

export interface PodSpec {
  containers: Container[];
  volumes?: ({ name: string } & Record<string, unknown>)[];
  /** Labels of the nodes that the pod runs on, of which there may be none. */
  nodeSelector?: Record<string, string>;
  [field: string]: unknown;
}

/**
 * A deployment with one replica, whose old pod ends before its new pod starts, so it
 * needs no leader election.
 */
export function deployment(name: string, podSpec: PodSpec): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas: 1, strategy: { type: 'Recreate' }, ...podsNamed(name, podSpec) },
  };
}

export function daemonSet(name: string, podSpec: PodSpec): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace },
    spec: podsNamed(name, podSpec),
  };
}

/** Part of a pod that runs on the control node, even before the cloud controller has initialised the node. */
export const onControlNode = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }] },
        ],
      },
    },
  },
  tolerations: [{ operator: 'Exists' }],
};

/**
 * Part of a pod that uses the node's network and name servers, because it must not depend on the cluster's.
 */
export const onHostNetwork = { hostNetwork: true, dnsPolicy: 'Default' };

/** An argument with a literal value. Kubernetes would replace `$(NAME)` by a variable. */
export function argument(name: string, value: string): string {
  return `--${name}=${value.replaceAll('$', '$$$$')}`;
}

export function hostFolder(name: string, path: string, type: 'Directory' | 'DirectoryOrCreate') {
  return { name, hostPath: { path, type } };
}

/** A job whose containers start again until they succeed. */
export function job(name: string, podSpec: PodSpec): KubernetesObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace },
    spec: {
      backoffLimit: MAX_BACKOFFS,
      template: podTemplate(name, { restartPolicy: 'OnFailure', ...podSpec }),
    },
  };
}

/** The largest value: a job that has failed would not notice that its problem is solved. */
const MAX_BACKOFFS = 2 ** 31 - 1;

function podsNamed(name: string, podSpec: PodSpec) {
  return { selector: { matchLabels: { app: name } }, template: podTemplate(name, podSpec) };
}

/** The status of a pod shows the end of the log of a program that crashes, for health checks. */
function podTemplate(name: string, { containers, ...podSpec }: PodSpec) {
  const terminationMessagePolicy = 'FallbackToLogsOnError';
  return {
    metadata: { labels: { app: name } },
    spec: {
      ...podSpec,
      containers: containers.map((container) => ({ ...container, terminationMessagePolicy })),
    },
  };
}
