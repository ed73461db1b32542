import type { ComputeCloud } from './cloud.ts';
import type { Server } from './state.ts';

const RUNNING = 1;
export const SHUT_DOWN = 4;

export function change(cloud: ComputeCloud, server: Server, to: Partial<Server>): void {
  Object.assign(server, to, { updatedMs: cloud.clock.now() });
}

/** The server runs, and what is in it boots. */
export function run(cloud: ComputeCloud, server: Server): void {
  change(cloud, server, { status: 'ACTIVE', vmState: 'active', taskState: null, powerState: RUNNING });
  cloud.guests.boot(server);
}

/** Whether it was told from outside, or has switched itself off. */
export function shutOff(cloud: ComputeCloud, server: Server): void {
  cloud.guests.halt(server);
  change(cloud, server, {
    status: 'SHUTOFF',
    vmState: 'stopped',
    taskState: null,
    powerState: SHUT_DOWN,
  });
}
