import { images, providerImage } from '../images.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { hostFolder, job, onControlNode } from '../kubernetes/workload.ts';

/**
 * A job that copies the plugin's program from its image to the control node, and succeeds once the cluster's
 * secrets are encrypted. The container runtime pulls the image, so mirrors of registries apply. The image has
 * no shell, so a container of another image mounts it.
 */
export function installation(k3sVersion: string): KubernetesObject[] {
  return [
    job('barbican-kms-plugin', {
      automountServiceAccountToken: false,
      ...onControlNode,
      containers: [
        {
          name: 'install',
          image: images.busybox,
          command: ['sh', '-euc', script],
          volumeMounts: [
            { name: 'image', mountPath: '/image', readOnly: true },
            { name: 'target', mountPath: '/target' },
            { name: 'state', mountPath: '/state', readOnly: true },
          ],
        },
      ],
      volumes: [
        {
          name: 'image',
          image: { reference: providerImage('secretsKms', k3sVersion), pullPolicy: 'IfNotPresent' },
        },
        hostFolder('target', '/usr/local/lib/gateway', 'DirectoryOrCreate'),
        hostFolder('state', '/var/lib/encrypt-secrets', 'DirectoryOrCreate'),
      ],
    }),
  ];
}

/**
 * The program appears as a whole, because a path unit starts it at once. `encrypt-secrets` on the node then
 * writes the state.
 */
const script = [
  'cp /image/bin/barbican-kms-plugin /target/.barbican-kms-plugin',
  'chmod 0755 /target/.barbican-kms-plugin',
  'mv /target/.barbican-kms-plugin /target/barbican-kms-plugin',
  'until [ -e /state/done ]; do',
  '  if [ -e /state/failure ]; then cat /state/failure >&2; exit 1; fi',
  '  sleep 5',
  'done',
].join('\n');
