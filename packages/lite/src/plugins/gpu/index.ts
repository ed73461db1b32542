import { manifests } from '../manifests.ts';
import type { Plugin } from '../plugin.ts';

/**
 * Arguments of k3s on nodes with GPUs, in addition to those of the plugins: the label that the device
 * plugin's own chart selects nodes by.
 */
export const gpuNodeArguments: readonly string[] = ['--node-label=nvidia.com/gpu.present=true'];

/**
 * Makes the GPUs of nodes allocatable, as `nvidia.com/gpu`. k3s brings the runtime class, and configures the
 * runtime on nodes that have it when k3s starts.
 */
export const gpu: Plugin = {
  requires: [],
  requests: () => [],
  contribute: (settings) => ({ manifests: manifests('gpu', settings) }),
};
