import type { NodeGpuPlan } from '@gateway/lite';
import type { Config } from '@gateway/platform';

/** What a node with GPUs installs. */
export function nodeGpuPlan({ instances, lite }: Pick<Config, 'instances' | 'lite'>): NodeGpuPlan {
  return {
    driverPackages: lite.gpu.driverPackages ?? instances.gpuDriverPackages,
    toolkitPackages: lite.gpu.containerToolkitPackages,
  };
}
