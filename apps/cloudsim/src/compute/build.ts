import { attachVolume, detachVolume } from '../block-storage/attachments.ts';
import { removeVolume } from '../block-storage/volumes.ts';
import { Refusal } from '../common/service-error.ts';
import type { ComputeCloud } from './cloud.ts';
import { plug, portsOf, unplug } from './nics.ts';
import { change, run } from './power.ts';
import { hostFor } from './scheduling.ts';
import type { Server } from './state.ts';

const SCHEDULE_MS = 200;
const NETWORK_MS = 300;
const SPAWN_MS = 1000;
const DELETE_MS = 300;
const FAULT_MS = 100;

/** A server that is being deleted, or gone, has its building stopped. */
function goesOn(cloud: ComputeCloud, server: Server): boolean {
  return cloud.compute.servers.has(server.id) && server.taskState !== 'deleting';
}

/** Finds a host, plugs networks, attaches volumes, starts; or ends in ERROR with the reason. */
export function buildServer(cloud: ComputeCloud, server: Server): void {
  cloud.clock.after(SCHEDULE_MS, () => {
    if (!goesOn(cloud, server)) return;
    const { buildFault } = cloud.settings;
    const host = hostFor(cloud.compute, server);
    if (buildFault !== null || host === undefined) {
      fail(cloud, server, buildFault ?? { code: 500, message: 'No valid host was found. ' });
      return;
    }
    change(cloud, server, { host: host.name, taskState: 'networking' });
    cloud.clock.after(NETWORK_MS, () => connect(cloud, server));
  });
}

function connect(cloud: ComputeCloud, server: Server): void {
  if (!goesOn(cloud, server)) return;
  try {
    for (const nic of server.nics) plug(cloud, server, nic);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    release(cloud, server);
    const why = 'Failed to allocate the network(s), not rescheduling.';
    fail(cloud, server, { code: 500, message: `Build of instance ${server.id} aborted: ${why}` });
    return;
  }
  for (const mapping of server.volumes) {
    const volume = cloud.blockStorage.volumes.get(mapping.volumeId);
    if (volume !== undefined) mapping.attachmentId = attachVolume(cloud, volume, server.id, mapping.device);
  }
  change(cloud, server, { taskState: 'spawning' });
  cloud.clock.after(SPAWN_MS, () => {
    if (!goesOn(cloud, server)) return;
    server.launchedMs = cloud.clock.now();
    run(cloud, server);
  });
}

/** Like the original, it says that the server has failed before it says why. */
function fail(
  cloud: ComputeCloud,
  server: Server,
  { code, message }: { code: number; message: string },
): void {
  change(cloud, server, { status: 'ERROR', vmState: 'error', taskState: null, host: null });
  cloud.clock.after(FAULT_MS, () => {
    if (server.status === 'ERROR') server.fault = { code, message, createdMs: cloud.clock.now() };
  });
}

/** Deletes the server whatever it is doing; asked again meanwhile, nothing more happens. */
export function deleteServer(cloud: ComputeCloud, server: Server): void {
  if (server.taskState === 'deleting') return;
  cloud.guests.remove(server);
  change(cloud, server, { taskState: 'deleting' });
  const leavesReservations = cloud.settings.leavesReservations && server.host === null;
  cloud.clock.after(DELETE_MS, () => {
    if (leavesReservations) server.volumes = [];
    release(cloud, server);
    cloud.compute.servers.delete(server.id);
  });
}

/** Gives back ports and volumes; those that were to go with the server go. */
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
