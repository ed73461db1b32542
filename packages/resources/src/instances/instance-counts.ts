import type { Instance } from './instances.ts';

export interface InstanceCounts {
  total: number;
  active: number;
  shutoff: number;
  error: number;
}

export function countInstances(instances: readonly Pick<Instance, 'status'>[]): InstanceCounts {
  const count = (wanted: string) => instances.filter(({ status }) => status === wanted).length;
  return {
    total: instances.length,
    active: count('ACTIVE'),
    shutoff: count('SHUTOFF'),
    error: count('ERROR'),
  };
}
