import { attachVolume, detachVolume } from '../block-storage/attachments.ts';
import { removeVolume } from '../block-storage/volumes.ts';
import { ServiceError } from '../common/service-error.ts';
import type { ComputeCloud } from './cloud.ts';
import { forgetMigrations } from './migration-records.ts';
import { plug, portsOf, unplug } from './nics.ts';
import { markActive, updateServer } from './power.ts';
import { hostFor } from './scheduling.ts';
import type { Server } from './state.ts';
import { endedServer } from './usage.ts';

const SCHEDULE_MS = 200;
const NETWORK_MS = 300;
const SPAWN_MS = 1000;
const DELETE_MS = 300;
const FAULT_MS = 100;

/** False once the server is being deleted: its build then stops. */
function isBuilding(cloud: ComputeCloud, server: Server): boolean {
  return cloud.compute.servers.has(server.id) && server.taskState !== 'deleting';
}

/**
 * Schedules the server, plugs its ports, attaches its volumes and starts it. Sets ERROR with
 * the reason on failure.
 */
export function buildServer(cloud: ComputeCloud, server: Server): void {
  cloud.schedule.after(SCHEDULE_MS, placeServer, server);
}

export function placeServer(cloud: ComputeCloud, server: Server): void {
  if (!isBuilding(cloud, server)) return;
  const { buildFault } = cloud.settings;
  const host = hostFor(cloud.compute, server);
  if (buildFault !== null || host === undefined) {
    fail(cloud, server, buildFault ?? { code: 500, message: 'No valid host was found. ' });
    return;
  }
  updateServer(cloud, server, { host: host.name, taskState: 'networking' });
  cloud.schedule.after(NETWORK_MS, connectServer, server);
}

export function connectServer(cloud: ComputeCloud, server: Server): void {
  if (!isBuilding(cloud, server)) return;
  try {
    for (const nic of server.nics) plug(cloud, server, nic);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    release(cloud, server);
    const why = 'Failed to allocate the network(s), not rescheduling.';
    fail(cloud, server, { code: 500, message: `Build of instance ${server.id} aborted: ${why}` });
    return;
  }
  for (const mapping of server.volumes) {
    const volume = cloud.blockStorage.volumes.get(mapping.volumeId);
    if (volume !== undefined) mapping.attachmentId = attachVolume(cloud, volume, server.id, mapping.device);
  }
  updateServer(cloud, server, { taskState: 'spawning' });
  cloud.schedule.after(SPAWN_MS, startServer, server);
}

export function startServer(cloud: ComputeCloud, server: Server): void {
  if (!isBuilding(cloud, server)) return;
  server.launchedMs = cloud.clock.now();
  markActive(cloud, server);
}

/** Like the real service, sets ERROR first and the fault a moment later. */
function fail(
  cloud: ComputeCloud,
  server: Server,
  { code, message }: { code: number; message: string },
): void {
  updateServer(cloud, server, { status: 'ERROR', vmState: 'error', taskState: null, host: null });
  cloud.schedule.after(FAULT_MS, setFault, server, code, message);
}

export function setFault(cloud: ComputeCloud, server: Server, code: number, message: string): void {
  if (server.status === 'ERROR') server.fault = { code, message, createdMs: cloud.clock.now() };
}

/** Deletes the server in any state. A repeated request has no effect. */
export function deleteServer(cloud: ComputeCloud, server: Server): void {
  if (server.taskState === 'deleting') return;
  cloud.guests.remove(server);
  updateServer(cloud, server, { taskState: 'deleting' });
  const leavesReservations = cloud.settings.leavesReservations && server.host === null;
  cloud.schedule.after(DELETE_MS, removeServer, server, leavesReservations);
}

export function removeServer(cloud: ComputeCloud, server: Server, leavesReservations: boolean): void {
  if (leavesReservations) server.volumes = [];
  release(cloud, server);
  cloud.compute.servers.delete(server.id);
  forgetMigrations(cloud, server);
  const ended = endedServer(server, cloud.clock.now());
  if (ended !== undefined) cloud.compute.endedServers.push(ended);
}

/** Releases ports and volumes, and deletes those that are marked for deletion with the server. */
function release(cloud: ComputeCloud, server: Server): void {
  for (const port of portsOf(cloud, server)) unplug(cloud, server, port);
  const volumes = server.volumes.splice(0);
  for (const { volumeId, deleteOnTermination } of volumes) {
    const volume = cloud.blockStorage.volumes.get(volumeId);
    if (volume === undefined) continue;
    detachVolume(cloud, volume);
    if (deleteOnTermination) removeVolume(cloud, volume);
  }
}
