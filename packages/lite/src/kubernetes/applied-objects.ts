/** An object that can be applied. */
export interface AppliedObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}

/** The names in paths of the kinds of objects that plugins have. */
const resources: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  CSIDriver: 'csidrivers',
  CustomResourceDefinition: 'customresourcedefinitions',
  DaemonSet: 'daemonsets',
  Deployment: 'deployments',
  Secret: 'secrets',
  ServiceAccount: 'serviceaccounts',
  StatefulSet: 'statefulsets',
  StorageClass: 'storageclasses',
  VolumeSnapshotClass: 'volumesnapshotclasses',
};

/** @throws for another kind */
export function applyPathOf({ apiVersion, kind, metadata }: AppliedObject): string {
  const resource = resources[kind];
  if (resource === undefined) throw new Error(`Objects of the kind ${kind} are not applied.`);
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { name, namespace } = metadata;
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${group}${place}/${resource}/${encodeURIComponent(name)}`;
}
