import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { KubernetesCluster, KubernetesObject, ObjectMetadata } from './state.ts';

/** A kind of object, as in the path of a request. */
export interface Collection {
  /** `api/v1` or `apis/policy/v1`. */
  group: string;
  /** `nodes` */
  resource: string;
  kind: string;
}

export const NODES: Collection = { group: 'api/v1', resource: 'nodes', kind: 'Node' };
export const PODS: Collection = { group: 'api/v1', resource: 'pods', kind: 'Pod' };
export const SECRETS: Collection = { group: 'api/v1', resource: 'secrets', kind: 'Secret' };
const SERVICES: Collection = { group: 'api/v1', resource: 'services', kind: 'Service' };
export const BUDGETS: Collection = {
  group: 'apis/policy/v1',
  resource: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
};
export const STORAGE_CLASSES: Collection = {
  group: 'apis/storage.k8s.io/v1',
  resource: 'storageclasses',
  kind: 'StorageClass',
};

/** The collections of objects that run pods, by their kind. */
export const workloadCollections: ReadonlyMap<string, Collection> = new Map(
  (
    [
      ['apis/apps/v1', 'deployments', 'Deployment'],
      ['apis/apps/v1', 'daemonsets', 'DaemonSet'],
      ['apis/apps/v1', 'statefulsets', 'StatefulSet'],
      ['apis/batch/v1', 'jobs', 'Job'],
    ] as const
  ).map(([group, resource, kind]) => [kind, { group, resource, kind }]),
);

export const DAEMON_SETS: Collection = { group: 'apis/apps/v1', resource: 'daemonsets', kind: 'DaemonSet' };

/** Objects that nothing in the simulation acts on. */
const OTHERS: readonly Collection[] = [
  { group: 'api/v1', resource: 'configmaps', kind: 'ConfigMap' },
  { group: 'api/v1', resource: 'serviceaccounts', kind: 'ServiceAccount' },
  { group: 'apis/rbac.authorization.k8s.io/v1', resource: 'clusterroles', kind: 'ClusterRole' },
  { group: 'apis/rbac.authorization.k8s.io/v1', resource: 'clusterrolebindings', kind: 'ClusterRoleBinding' },
  { group: 'apis/storage.k8s.io/v1', resource: 'csidrivers', kind: 'CSIDriver' },
  {
    group: 'apis/apiextensions.k8s.io/v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  },
  {
    group: 'apis/snapshot.storage.k8s.io/v1',
    resource: 'volumesnapshotclasses',
    kind: 'VolumeSnapshotClass',
  },
];

const collections = [
  NODES,
  PODS,
  SECRETS,
  SERVICES,
  BUDGETS,
  STORAGE_CLASSES,
  ...workloadCollections.values(),
  ...OTHERS,
];

export function collectionOf(group: string, resource: string): Collection | undefined {
  return collections.find((one) => one.group === group && one.resource === resource);
}

export function objectKey({ resource }: Collection, namespace: string | undefined, name: string): string {
  return `${resource}/${namespace ?? ''}/${name}`;
}

/** The objects of a collection, in the order of their names. */
export function objectsOf(
  cluster: KubernetesCluster,
  { kind }: Collection,
  namespace?: string,
): KubernetesObject[] {
  return [...cluster.objects.values()]
    .filter((one) => one.kind === kind && (namespace === undefined || one.metadata.namespace === namespace))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** An object without the fields that the server adds. */
interface NewObject extends Pick<KubernetesObject, 'spec' | 'status' | 'data' | 'parameters'> {
  metadata: Omit<ObjectMetadata, 'uid' | 'resourceVersion' | 'creationTimestamp' | 'generation'>;
}

/** Adds an object, or replaces the object of the same name. */
export function putObject(
  cluster: KubernetesCluster,
  collection: Collection,
  { metadata, ...rest }: NewObject,
): KubernetesObject {
  const key = objectKey(collection, metadata.namespace, metadata.name);
  const found = cluster.objects.get(key);
  const before = found?.metadata;
  cluster.revision += 1;
  const stored: KubernetesObject = {
    ...rest,
    apiVersion: collection.group.replace(/^apis?\//, ''),
    kind: collection.kind,
    metadata: {
      ...metadata,
      uid: before?.uid ?? randomUUID(),
      creationTimestamp: before?.creationTimestamp ?? timestamp(),
      resourceVersion: String(cluster.revision),
      generation: generationOf(found, rest.spec),
    },
  };
  cluster.objects.set(key, stored);
  return stored;
}

/** Only changes of the specification count. */
function generationOf(found: KubernetesObject | undefined, spec: KubernetesObject['spec']): number {
  if (found === undefined) return 1;
  return found.metadata.generation + (isDeepStrictEqual(found.spec, spec) ? 0 : 1);
}

/** Removes an object, or marks it for removal while it has finalizers. */
export function removeObject(
  cluster: KubernetesCluster,
  collection: Collection,
  { metadata }: KubernetesObject,
): void {
  cluster.revision += 1;
  if ((metadata.finalizers ?? []).length > 0) metadata.deletionTimestamp ??= timestamp();
  else cluster.objects.delete(objectKey(collection, metadata.namespace, metadata.name));
}

/** In whole seconds, like all times in Kubernetes. */
export function timestamp(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
