/**
 * Release of cloud-provider-openstack. Its minor version is that of the Kubernetes release that it supports.
 */
const cloudProvider = 'v1.36.0';

/** The container images of the plugins, with exact tags, so that all clusters of a release are alike. */
export const images = {
  cloudController: `registry.k8s.io/provider-os/openstack-cloud-controller-manager:${cloudProvider}`,
  blockCsi: `registry.k8s.io/provider-os/cinder-csi-plugin:${cloudProvider}`,
  fileCsi: `registry.k8s.io/provider-os/manila-csi-plugin:${cloudProvider}`,
  lbIngress: `registry.k8s.io/provider-os/octavia-ingress-controller:${cloudProvider}`,
  identityAuth: `registry.k8s.io/provider-os/k8s-keystone-auth:${cloudProvider}`,
  secretsKms: `registry.k8s.io/provider-os/barbican-kms-plugin:${cloudProvider}`,
  csiAttacher: 'registry.k8s.io/sig-storage/csi-attacher:v4.10.0',
  csiProvisioner: 'registry.k8s.io/sig-storage/csi-provisioner:v5.3.0',
  csiResizer: 'registry.k8s.io/sig-storage/csi-resizer:v1.14.0',
  csiNodeRegistrar: 'registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0',
  nfs: 'registry.k8s.io/sig-storage/nfsplugin:v4.13.4',
  /** One of the images that k3s itself uses. */
  busybox: 'docker.io/rancher/mirrored-library-busybox:1.37.0',
} as const;
