import { fixedUuid } from '../common/ids.ts';
import type { ComputeState } from './state.ts';

/** Adds a host with room for everything, unless there is one of this name. */
export function addHost({ hosts }: ComputeState, name: string, devices: Record<string, number> = {}): void {
  if (hosts.some((host) => host.name === name)) return;
  hosts.push({
    id: fixedUuid(`host:${name}`),
    status: 'enabled',
    disabledReason: null,
    isForcedDown: false,
    serviceId: fixedUuid(`compute-service:${name}`),
    number: hosts.length + 1,
    name,
    vcpus: 256,
    ramMb: 2 ** 21,
    diskGb: 102_400,
    devices,
  });
}
