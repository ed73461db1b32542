import { images } from '../images.ts';
import { type KubernetesObject, namespace } from '../kubernetes/object.ts';
import { hostFolder, onControlNode } from '../kubernetes/workload.ts';

/**
 * A job that copies the plugin's program from its image to the control node. The container runtime pulls the
 * image, so mirrors of registries apply. The image has no shell, so a container of another image mounts it.
 */
export function installation(): KubernetesObject[] {
  return [
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'barbican-kms-plugin', namespace },
      spec: {
        backoffLimit: 20,
        template: {
          spec: {
            restartPolicy: 'OnFailure',
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
                ],
              },
            ],
            volumes: [
              { name: 'image', image: { reference: images.secretsKms, pullPolicy: 'IfNotPresent' } },
              hostFolder('target', '/usr/local/lib/gateway', 'DirectoryOrCreate'),
            ],
          },
        },
      },
    },
  ];
}

/** The program appears as a whole, because a path unit starts it at once. */
const script = [
  'cp /image/bin/barbican-kms-plugin /target/.barbican-kms-plugin',
  'chmod 0755 /target/.barbican-kms-plugin',
  'mv /target/.barbican-kms-plugin /target/barbican-kms-plugin',
].join('\n');
