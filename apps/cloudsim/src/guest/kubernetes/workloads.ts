import { parseAllDocuments } from 'yaml';
import { PODS, putObject, SECRETS, timestamp, workloadCollections } from './objects.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';

interface Manifest extends Pick<KubernetesObject, 'kind' | 'metadata' | 'data'> {
  spec?: { template?: { metadata?: Pick<KubernetesObject['metadata'], 'labels'>; spec?: PodSpec } };
}

interface PodSpec {
  containers?: { name: string; image: string }[];
}

/**
 * Applies the secrets and the workloads in the manifests. Each workload has one pod, which runs on the node
 * at once: there are no controllers. All other objects are ignored.
 */
export function applyWorkloads(cluster: KubernetesCluster, manifests: string, node: string): void {
  for (const document of parseAllDocuments(manifests)) {
    const { kind, metadata, spec, data } = (document.toJS() ?? {}) as Manifest;
    if (kind === SECRETS.kind) putObject(cluster, SECRETS, { metadata, data });
    const collection = workloadCollections.get(kind);
    if (collection === undefined) continue;
    putObject(cluster, collection, { metadata, spec, status: availableStatus(kind) });
    const { containers = [] } = spec?.template?.spec ?? {};
    const { namespace } = metadata;
    putObject(cluster, PODS, {
      metadata: { name: `${metadata.name}-0`, namespace, labels: spec?.template?.metadata?.labels },
      spec: { nodeName: node, containers },
      status: runningStatus(kind === 'Job', containers),
    });
  }
}

/** The pods of a workload that has a status are replaced at once. */
export function followChange({ metadata, status }: KubernetesObject): void {
  if (status?.observedGeneration !== undefined) status.observedGeneration = metadata.generation;
}

function availableStatus(kind: string): Record<string, unknown> {
  if (kind === 'Job') return { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
  if (kind === 'DaemonSet') {
    const numbers = { desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 };
    return { observedGeneration: 1, currentNumberScheduled: 1, numberReady: 1, ...numbers };
  }
  return { observedGeneration: 1, replicas: 1, readyReplicas: 1, updatedReplicas: 1, availableReplicas: 1 };
}

function runningStatus(
  hasEnded: boolean,
  containers: { name: string; image: string }[],
): Record<string, unknown> {
  const at = timestamp();
  const state = hasEnded
    ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: at, finishedAt: at } }
    : { running: { startedAt: at } };
  return {
    phase: hasEnded ? 'Succeeded' : 'Running',
    startTime: at,
    conditions: [{ type: 'Ready', status: hasEnded ? 'False' : 'True' }],
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      ready: !hasEnded,
      restartCount: 0,
      state,
      lastState: {},
    })),
  };
}
