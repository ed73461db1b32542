import { minorOf } from '../k3s-release.ts';

/** The programs of cloud-provider-openstack. */
const programs = {
  cloudController: 'openstack-cloud-controller-manager',
  blockCsi: 'cinder-csi-plugin',
  fileCsi: 'manila-csi-plugin',
  lbIngress: 'octavia-ingress-controller',
  identityAuth: 'k8s-keystone-auth',
  secretsKms: 'barbican-kms-plugin',
} as const;

/** The releases of cloud-provider-openstack, by the minor release of Kubernetes that they support. */
const providerReleases: ReadonlyMap<string, string> = new Map([
  ['1.34', 'v1.34.1'],
  ['1.35', 'v1.35.0'],
  ['1.36', 'v1.36.0'],
]);
const newestProvider = [...providerReleases.values()].at(-1);

/** Whether there are plugins for a release of k3s. */
export function hasPluginImages(k3sVersion: string): boolean {
  return providerReleases.has(minorOf(k3sVersion) ?? '');
}

/** The image of a program for a release of k3s. An unknown release gets the newest program. */
export function providerImage(program: keyof typeof programs, k3sVersion: string): string {
  const release = providerReleases.get(minorOf(k3sVersion) ?? '') ?? newestProvider;
  return `registry.k8s.io/provider-os/${programs[program]}:${release}`;
}

/** Container images with exact tags, so that all clusters of a release are alike. */
export const images = {
  csiAttacher: 'registry.k8s.io/sig-storage/csi-attacher:v4.10.0',
  csiProvisioner: 'registry.k8s.io/sig-storage/csi-provisioner:v5.3.0',
  csiResizer: 'registry.k8s.io/sig-storage/csi-resizer:v1.14.0',
  csiSnapshotter: 'registry.k8s.io/sig-storage/csi-snapshotter:v8.6.0',
  snapshotController: 'registry.k8s.io/sig-storage/snapshot-controller:v8.6.0',
  csiNodeRegistrar: 'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0',
  nfs: 'registry.k8s.io/sig-storage/nfsplugin:v4.13.4',
  gpuDevicePlugin: 'nvcr.io/nvidia/k8s-device-plugin:v0.20.0',
  /** One of the images that k3s itself uses. */
  busybox: 'docker.io/rancher/mirrored-library-busybox:1.37.0',
} as const;
