import { requests } from './access-request.ts';
import { cloudConfDir, cloudConfPath } from './cloud-conf.ts';
import { cloudConfigMount, cloudConfigSecret, cloudConfigVolume } from './cloud-config-secret.ts';
import {
  kubeletMount,
  nodeDriver,
  privileged,
  provisioners,
  provisioningRules,
  sidecar,
  socketDir,
  socketMount,
} from './csi.ts';
import { images, providerImage } from './images.ts';
import { iniText } from './ini.ts';
import { accountWithRules, rule } from './kubernetes/access.ts';
import { configMap, csiDriver, type KubernetesObject, storageClass } from './kubernetes/object.ts';
import { argument, deployment, hostFolder } from './kubernetes/workload.ts';
import type { Plugin } from './plugin.ts';
import type { PluginSettings } from './settings.ts';
import { snapshotResources } from './snapshot-resources.ts';
import { snapshotClass, snapshotController, snapshotRules, snapshotter } from './snapshots.ts';

const driver = 'cinder.csi.openstack.org';
const controllerName = 'csi-cinder-controllerplugin';
const nodeName = 'csi-cinder-nodeplugin';
/** Volumes are not tied to the zones of nodes: block storage often has zones of its own. */
const driverArguments = [
  '/bin/cinder-csi-plugin',
  `--endpoint=unix://${socketDir}/csi.sock`,
  '--with-topology=false',
];

/**
 * Volumes of the block storage service for claims, and their snapshots. Its storage class is the default, in
 * place of k3s's own.
 */
export const blockCsi: Plugin = {
  requires: ['compute', 'blockStorage'],
  requests: () => [
    ...requests('blockStorage', 'GET', '/volumes/*', '/snapshots', '/snapshots/*'),
    ...requests('blockStorage', 'POST', '/volumes', '/volumes/*/action', '/snapshots'),
    ...requests('blockStorage', 'DELETE', '/volumes/*', '/snapshots/*'),
    // The program asks whether a snapshot is a backup before it deletes it.
    ...requests('blockStorage', 'GET', '/backups/*'),
    ...requests('compute', 'GET', '/servers/*'),
    ...requests('compute', 'POST', '/servers/*/os-volume_attachments'),
    ...requests('compute', 'DELETE', '/servers/*/os-volume_attachments/*'),
  ],
  contribute: (settings) => ({
    manifests: [
      ...snapshotResources,
      cloudConfigSecret(settings),
      csiDriver(driver, { attachRequired: true, volumeLifecycleModes: ['Persistent'] }),
      storageClass('block-storage', driver, {
        isDefault: true,
        volumeBindingMode: 'WaitForFirstConsumer',
        parameters: {
          'csi.storage.k8s.io/fstype': 'ext4',
          ...(settings.volumeType !== null && { type: settings.volumeType }),
        },
      }),
      ...controller(settings),
      ...nodes(settings),
      ...snapshotController,
      // Without force, block storage takes no snapshot of a volume that a pod uses.
      snapshotClass('block-storage', driver, { 'force-create': 'true' }),
    ],
    serverArguments: ['--disable=local-storage'],
    readsCloudConf: true,
  }),
};

function controller(settings: PluginSettings): KubernetesObject[] {
  return [
    ...accountWithRules(controllerName, [
      ...provisioningRules,
      ...snapshotRules,
      rule('patch', 'volumeattachments volumeattachments/status', 'storage.k8s.io'),
    ]),
    deployment(controllerName, {
      serviceAccountName: controllerName,
      priorityClassName: 'system-cluster-critical',
      containers: [
        sidecar('attacher', images.csiAttacher, '--timeout=3m'),
        // For storage classes that name no file system. Without one, pods with an fsGroup cannot write.
        ...provisioners('--default-fstype=ext4'),
        snapshotter('--extra-create-metadata'),
        {
          name: 'cinder-csi-plugin',
          image: providerImage('blockCsi', settings.k3sVersion),
          args: [
            ...driverArguments,
            '--provide-node-service=false',
            `--cloud-config=${cloudConfPath}`,
            argument('cluster', settings.clusterId),
          ],
          volumeMounts: [socketMount, cloudConfigMount],
        },
      ],
      volumes: [{ name: 'socket', emptyDir: {} }, cloudConfigVolume],
    }),
  ];
}

/**
 * Node pods have no credential. They read the node's id from its metadata, and only format and mount. Their
 * configuration limits the volumes of a node, on which the scheduler decides.
 */
function nodes({ k3sVersion, nodeVolumeLimit }: PluginSettings): KubernetesObject[] {
  const config = 'node.conf';
  return [
    configMap(nodeName, {
      [config]: iniText({ BlockStorage: { 'node-volume-attach-limit': nodeVolumeLimit } }),
    }),
    ...nodeDriver(nodeName, driver, {
      containers: [
        {
          name: 'cinder-csi-plugin',
          image: providerImage('blockCsi', k3sVersion),
          args: [
            ...driverArguments,
            '--provide-controller-service=false',
            `--cloud-config=${cloudConfDir}/${config}`,
          ],
          securityContext: privileged,
          volumeMounts: [
            socketMount,
            kubeletMount,
            { name: 'devices', mountPath: '/dev', mountPropagation: 'HostToContainer' },
            { name: 'config', mountPath: cloudConfDir, readOnly: true },
          ],
        },
      ],
      volumes: [
        hostFolder('devices', '/dev', 'Directory'),
        { name: 'config', configMap: { name: nodeName } },
      ],
    }),
  ];
}
