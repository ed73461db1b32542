import type { NodeGpuPlan } from '@gateway/cloud-init';
import type { Config } from '@gateway/config';

/** What a node with GPUs installs. */
export function nodeGpuPlan({ instances, lite }: Pick<Config, 'instances' | 'lite'>): NodeGpuPlan {
  return {
    driverPackages: lite.gpu.driverPackages ?? instances.gpuDriverPackages,
    toolkitPackages: lite.gpu.containerToolkitPackages,
  };
}
