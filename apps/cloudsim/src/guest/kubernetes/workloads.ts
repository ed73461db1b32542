import { parseAllDocuments } from 'yaml';
import {
  DAEMON_SETS,
  NODES,
  objectsOf,
  PODS,
  putObject,
  SECRETS,
  STORAGE_CLASSES,
  timestamp,
  workloadCollections,
} from './objects.ts';
import type { KubernetesCluster, KubernetesObject } from './state.ts';

interface Manifest extends Pick<KubernetesObject, 'kind' | 'metadata' | 'data' | 'parameters'> {
  spec?: { template?: { metadata?: Pick<KubernetesObject['metadata'], 'labels'>; spec?: PodSpec } };
}

interface PodSpec {
  nodeSelector?: Record<string, string>;
  containers?: { name: string; image: string }[];
}

/**
 * Applies the secrets, storage classes and workloads in the manifests. Each workload has one pod, which runs
 * on the node at once: there are no controllers. A workload for nodes with certain labels has only the
 * numbers of its pods. All other objects are ignored.
 */
export function applyWorkloads(cluster: KubernetesCluster, manifests: string, node: string): void {
  for (const document of parseAllDocuments(manifests)) {
    const { kind, metadata, spec, data, parameters } = (document.toJS() ?? {}) as Manifest;
    if (kind === SECRETS.kind) putObject(cluster, SECRETS, { metadata, data });
    if (kind === STORAGE_CLASSES.kind) putObject(cluster, STORAGE_CLASSES, { metadata, parameters });
    const collection = workloadCollections.get(kind);
    if (collection === undefined) continue;
    putObject(cluster, collection, { metadata, spec, status: availableStatus(kind) });
    const { containers = [], nodeSelector } = spec?.template?.spec ?? {};
    if (nodeSelector !== undefined) continue;
    const { namespace } = metadata;
    putObject(cluster, PODS, {
      metadata: { name: `${metadata.name}-0`, namespace, labels: spec?.template?.metadata?.labels },
      spec: { nodeName: node, containers },
      status: runningStatus(kind === 'Job', containers),
    });
  }
  countDaemons(cluster);
}

/** Sets the numbers of pods of DaemonSets for nodes with certain labels. */
export function countDaemons(cluster: KubernetesCluster): void {
  const nodes = objectsOf(cluster, NODES);
  for (const set of objectsOf(cluster, DAEMON_SETS)) {
    const selector = (set.spec as Manifest['spec'])?.template?.spec?.nodeSelector;
    if (selector === undefined) continue;
    const wanted = Object.entries(selector);
    const count = nodes.filter(({ metadata: { labels = {} } }) =>
      wanted.every(([key, value]) => labels[key] === value),
    ).length;
    set.status = { ...availableStatus('DaemonSet', count), observedGeneration: set.metadata.generation };
  }
}

/** The pods of a workload that has a status are replaced at once. */
export function followChange({ metadata, status }: KubernetesObject): void {
  if (status?.observedGeneration !== undefined) status.observedGeneration = metadata.generation;
}

function availableStatus(kind: string, pods = 1): Record<string, unknown> {
  if (kind === 'Job') return { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
  if (kind === 'DaemonSet') {
    const numbers = { desiredNumberScheduled: pods, updatedNumberScheduled: pods, numberAvailable: pods };
    return { observedGeneration: 1, currentNumberScheduled: pods, numberReady: pods, ...numbers };
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
