import type { ComputeCloud } from './cloud.ts';
import type { Server } from './state.ts';

const RUNNING = 1;
export const SHUT_DOWN = 4;

export function updateServer(cloud: ComputeCloud, server: Server, to: Partial<Server>): void {
  Object.assign(server, to, { updatedMs: cloud.clock.now() });
}

/** Sets the server to ACTIVE and boots its guest. */
export function markActive(cloud: ComputeCloud, server: Server): void {
  updateServer(cloud, server, { status: 'ACTIVE', vmState: 'active', taskState: null, powerState: RUNNING });
  cloud.guests.boot(server);
}

/** Sets the server to SHUTOFF, after a stop request or a power-off by the guest. */
export function markShutOff(cloud: ComputeCloud, server: Server): void {
  cloud.guests.halt(server);
  updateServer(cloud, server, {
    status: 'SHUTOFF',
    vmState: 'stopped',
    taskState: null,
    powerState: SHUT_DOWN,
  });
}
