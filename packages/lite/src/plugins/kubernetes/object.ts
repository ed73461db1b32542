/** An object of the Kubernetes API. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: unknown;
}

/** Namespace of everything that the plugins run. */
export const namespace = 'kube-system';

export function secret(name: string, data: Record<string, string>): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

export function configMap(name: string, data: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

/** @param provisioner name of the CSI driver */
export function storageClass(
  name: string,
  provisioner: string,
  options: Record<string, unknown> & { isDefault?: boolean },
): KubernetesObject {
  const { isDefault = false, ...rest } = options;
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name,
      annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) },
    },
    provisioner,
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
    ...rest,
  };
}

export function csiDriver(name: string, spec: Record<string, unknown>): KubernetesObject {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name }, spec };
}
