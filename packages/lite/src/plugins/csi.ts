import { images } from './images.ts';
import { type PolicyRule, rule, serviceAccount } from './kubernetes/access.ts';
import type { KubernetesObject } from './kubernetes/object.ts';
import { type Container, daemonSet, hostFolder, onHostNetwork, type PodSpec } from './kubernetes/workload.ts';

/** Folder of the driver's socket in the containers of its pod. */
export const socketDir = '/csi';

export const socketMount = { name: 'socket', mountPath: socketDir };

const socket = `${socketDir}/csi.sock`;

/** A program that Kubernetes provides for CSI drivers. It communicates with the driver through the socket. */
export function sidecar(name: string, image: string, ...args: string[]): Container {
  return { name, image, args: [`--csi-address=${socket}`, ...args], volumeMounts: [socketMount] };
}

/** The sidecars that create and extend volumes. */
export function provisioners(...provisionerArguments: string[]): Container[] {
  return [
    sidecar(
      'provisioner',
      images.csiProvisioner,
      '--timeout=3m',
      '--extra-create-metadata',
      ...provisionerArguments,
    ),
    sidecar('resizer', images.csiResizer, '--timeout=3m', '--handle-volume-inuse-error=false'),
  ];
}

/** The rights of the sidecars that create and extend volumes. */
export const provisioningRules: readonly PolicyRule[] = [
  rule('get list watch create delete patch', 'persistentvolumes'),
  rule('get list watch update', 'persistentvolumeclaims'),
  rule('patch', 'persistentvolumeclaims/status'),
  rule('get list watch', 'nodes'),
  rule('list watch create update patch', 'events'),
  rule('get list watch', 'storageclasses csinodes volumeattachments', 'storage.k8s.io'),
];

/**
 * The pods that run a driver on every node, and register it at the kubelet. They have no
 * rights in the cluster.
 *
 * @param driver its name, which is also the folder of its socket
 */
export function nodeDriver(
  name: string,
  driver: string,
  { containers, volumes = [] }: Pick<PodSpec, 'containers' | 'volumes'>,
): KubernetesObject[] {
  const folder = `/var/lib/kubelet/plugins/${driver}`;
  const registrar = {
    ...sidecar('registrar', images.csiNodeRegistrar, `--kubelet-registration-path=${folder}/csi.sock`),
    volumeMounts: [socketMount, { name: 'registration', mountPath: '/registration' }],
  };
  return [
    serviceAccount(name),
    daemonSet(name, {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      priorityClassName: 'system-node-critical',
      // Mounts would break with the pod's network when the pod ends.
      ...onHostNetwork,
      tolerations: [{ operator: 'Exists' }],
      containers: [registrar, ...containers],
      volumes: [
        hostFolder('socket', folder, 'DirectoryOrCreate'),
        hostFolder('registration', '/var/lib/kubelet/plugins_registry', 'Directory'),
        hostFolder('kubelet', '/var/lib/kubelet', 'Directory'),
        ...volumes,
      ],
    }),
  ];
}

/** The kubelet's folder, where a driver mounts volumes for the node and the pods. */
export const kubeletMount = {
  name: 'kubelet',
  mountPath: '/var/lib/kubelet',
  mountPropagation: 'Bidirectional',
};

/** Mounting requires it. */
export const privileged = { privileged: true };
