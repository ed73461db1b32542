import type { HypervisorRecord } from '@gateway/openstack';

/** Whether a host takes no instances: it is disabled, or down. */
export function isClosed({ state, status }: Pick<HypervisorRecord, 'state' | 'status'>): boolean {
  return state === 'down' || status === 'disabled';
}
