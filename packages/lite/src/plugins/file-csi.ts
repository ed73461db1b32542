import { requests } from './access-request.ts';
import {
  kubeletMount,
  nodeDriver,
  privileged,
  provisioners,
  provisioningRules,
  socketDir,
  socketMount,
} from './csi.ts';
import { images, providerImage } from './images.ts';
import { accountWithRules, rule } from './kubernetes/access.ts';
import { csiDriver, type KubernetesObject, namespace, secret, storageClass } from './kubernetes/object.ts';
import { argument, type Container, deployment } from './kubernetes/workload.ts';
import type { Plugin } from './plugin.ts';
import { type PluginSettings, requireCredential } from './settings.ts';
import { snapshotResources } from './snapshot-resources.ts';
import { snapshotClass, snapshotController, snapshotRules, snapshotter } from './snapshots.ts';

const driver = 'nfs.manila.csi.openstack.org';
const controllerName = 'csi-manila-controllerplugin';
const nodeName = 'csi-manila-nodeplugin';
const secretName = 'csi-manila-credential';
const nfsSocket = `unix://${socketDir}/nfs.sock`;
const driverArguments = [
  '/bin/manila-csi-plugin',
  `--endpoint=unix://${socketDir}/csi.sock`,
  `--drivername=${driver}`,
  '--share-protocol-selector=NFS',
  `--fwdendpoint=${nfsSocket}`,
];

/**
 * NFS shares of the shared file system service for claims, to which many pods can write. Only types of shares
 * with `snapshot_support` and `create_share_from_snapshot_support` have snapshots.
 */
export const fileCsi: Plugin = {
  requires: ['sharedFileSystem'],
  requests: () => [
    ...requests('sharedFileSystem', 'GET', '/', '/shares/*', '/shares/*/export_locations', '/messages'),
    ...requests('sharedFileSystem', 'GET', '/snapshots/*'),
    ...requests(
      'sharedFileSystem',
      'POST',
      '/shares',
      '/shares/*/action',
      '/shares/*/metadata',
      '/snapshots',
    ),
    ...requests('sharedFileSystem', 'DELETE', '/shares/*', '/snapshots/*'),
  ],
  contribute: (settings) => ({
    manifests: [
      ...snapshotResources,
      credential(settings),
      csiDriver(driver, { attachRequired: false, fsGroupPolicy: 'None' }),
      storageClass('file-storage', driver, {
        volumeBindingMode: 'Immediate',
        parameters: parameters(settings),
      }),
      ...controller(settings),
      ...nodes(settings),
      ...snapshotController,
      snapshotClass('file-storage', driver, secretsFor('snapshotter')),
    ],
  }),
};

/** The driver reads no cloud configuration. The storage class gives it the credential with every request. */
function credential(settings: PluginSettings): KubernetesObject {
  const { identityUrl, region, caPem } = settings;
  const { id, secret: credentialSecret } = requireCredential(settings);
  return secret(secretName, {
    'os-authURL': identityUrl,
    'os-region': region,
    'os-applicationCredentialID': id,
    'os-applicationCredentialSecret': credentialSecret,
    ...(caPem !== null && { 'os-certAuthority': caPem }),
  });
}

function parameters({ share, network }: PluginSettings): Record<string, string> {
  return {
    ...(share.type !== null && { type: share.type }),
    ...(share.networkId !== null && { shareNetworkID: share.networkId }),
    // The driver's default would admit every client.
    'nfs-shareClient': network.subnetCidr,
    ...secretsFor('provisioner', 'controller-expand', 'node-stage', 'node-publish'),
  };
}

/** The parameters of a class that give the driver the credential. */
function secretsFor(...operations: string[]): Record<string, string> {
  return Object.fromEntries(
    operations.flatMap((operation) => [
      [`csi.storage.k8s.io/${operation}-secret-name`, secretName],
      [`csi.storage.k8s.io/${operation}-secret-namespace`, namespace],
    ]),
  );
}

function controller(settings: PluginSettings): KubernetesObject[] {
  return [
    ...accountWithRules(controllerName, [
      ...provisioningRules,
      ...snapshotRules,
      rule('get list', 'secrets'),
    ]),
    deployment(controllerName, {
      serviceAccountName: controllerName,
      priorityClassName: 'system-cluster-critical',
      containers: [
        ...provisioners(),
        snapshotter(),
        {
          name: 'manila-csi-plugin',
          image: providerImage('fileCsi', settings.k3sVersion),
          command: [
            ...driverArguments,
            '--provide-node-service=false',
            argument('cluster-id', settings.clusterId),
          ],
          volumeMounts: [socketMount],
        },
        nfsPlugin({ volumeMounts: [socketMount] }),
      ],
      volumes: [{ name: 'socket', emptyDir: {} }],
    }),
  ];
}

function nodes(settings: PluginSettings): KubernetesObject[] {
  return nodeDriver(nodeName, driver, {
    containers: [
      {
        name: 'manila-csi-plugin',
        image: providerImage('fileCsi', settings.k3sVersion),
        command: [...driverArguments, '--provide-controller-service=false'],
        securityContext: privileged,
        volumeMounts: [socketMount],
      },
      nfsPlugin({ securityContext: privileged, volumeMounts: [socketMount, kubeletMount] }),
    ],
  });
}

/**
 * The NFS driver, to which the other driver forwards mounts. The controller pod also contains it, without
 * rights, because the other driver checks its health.
 */
function nfsPlugin(parts: Partial<Container>): Container {
  return {
    name: 'nfs',
    image: images.nfs,
    args: ['--nodeid=$(NODE_NAME)', `--endpoint=${nfsSocket}`],
    env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    ...parts,
  };
}
