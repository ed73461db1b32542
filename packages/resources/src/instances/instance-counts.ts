import type { InstanceCounts } from './instance-counts-shape.ts';
import type { Instance } from './instance-shape.ts';

export function countInstances(instances: readonly Pick<Instance, 'status'>[]): InstanceCounts {
  const count = (wanted: string) => instances.filter(({ status }) => status === wanted).length;
  return {
    total: instances.length,
    active: count('ACTIVE'),
    shutoff: count('SHUTOFF'),
    error: count('ERROR'),
  };
}
