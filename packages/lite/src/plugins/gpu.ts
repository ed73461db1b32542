import { images } from './images.ts';
import { daemonSet, hostFolder } from './kubernetes/workload.ts';
import type { Plugin } from './plugin.ts';

const name = 'nvidia-device-plugin';
/** The label that the device plugin's own chart selects nodes by. */
const gpuLabel = { key: 'nvidia.com/gpu.present', value: 'true' };

/** Arguments of k3s on nodes with GPUs, in addition to those of the plugins. */
export const gpuNodeArguments: readonly string[] = [`--node-label=${gpuLabel.key}=${gpuLabel.value}`];

/**
 * Makes the GPUs of nodes allocatable, as `nvidia.com/gpu`. k3s brings the runtime class, and configures the
 * runtime on nodes that have it when k3s starts.
 */
export const gpu: Plugin = {
  requires: [],
  requests: () => [],
  contribute: () => ({
    manifests: [
      daemonSet(name, {
        automountServiceAccountToken: false,
        priorityClassName: 'system-node-critical',
        // Without this runtime, the container sees no GPU.
        runtimeClassName: 'nvidia',
        nodeSelector: { [gpuLabel.key]: gpuLabel.value },
        // Nodes with GPUs often have this taint, which keeps other pods away.
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
        containers: [
          {
            name,
            image: images.gpuDevicePlugin,
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            volumeMounts: [{ name: 'device-plugins', mountPath: '/var/lib/kubelet/device-plugins' }],
          },
        ],
        volumes: [hostFolder('device-plugins', '/var/lib/kubelet/device-plugins', 'Directory')],
      }),
    ],
  }),
};
