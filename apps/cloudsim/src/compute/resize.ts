import { type JsonObject, stringAt } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { accepted, noContent, type Reply } from '../http/operation.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { findFlavor } from './flavors.ts';
import { endMigration, latestMigration, startMigration } from './migration-records.ts';
import { markActive, markShutOff, updateServer } from './power.ts';
import { requireComputeQuota } from './quotas.ts';
import { hostFor } from './scheduling.ts';
import { requireServerState } from './server-state.ts';
import type { Flavor, Host, Server } from './state.ts';

const RESIZE_MS = 600;
const CONFIRM_MS = 300;
const REVERT_MS = 400;

/** Another flavor. The server keeps its old one until the resize is confirmed. */
export function resizeServer(call: ComputeCall, server: Server, input: JsonObject): Reply {
  const { cloud } = call;
  const flavor = requestedFlavor(call, input);
  if (flavor.id === server.flavor.id) throw badRequest('When resizing, instances must change flavor!');
  requireServerState(server, 'resize', ['active', 'stopped']);
  requireComputeQuota(cloud.compute, server.projectId, {
    cores: Math.max(0, flavor.vcpus - server.flavor.vcpus),
    ram: Math.max(0, flavor.ramMb - server.flavor.ramMb),
  });
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState: 'resize_prep', status: 'RESIZE' });
  startMigration(cloud, server, 'resize');
  cloud.schedule.after(RESIZE_MS, finishResize, server, flavor);
  return accepted();
}

function requestedFlavor({ caller, cloud }: ComputeCall, input: JsonObject): Flavor {
  const ref = stringAt(input, 'flavorRef');
  if (ref === undefined)
    throw badRequest("Invalid input for field/attribute resize. 'flavorRef' is a required property");
  try {
    return findFlavor(cloud, caller, ref);
  } catch {
    throw badRequest(`Flavor ${ref} could not be found.`);
  }
}

export function finishResize(cloud: ComputeCloud, server: Server, flavor: Flavor): void {
  if (server.taskState !== 'resize_prep') return;
  const copy = { ...flavor, extraSpecs: { ...flavor.extraSpecs } };
  awaitConfirmation(cloud, server, {
    flavor: copy,
    host: hostFor(cloud.compute, { ...server, flavor: copy }),
  });
}

/** The server is on its new host until that is confirmed or reverted. Without a host, it stays as it was. */
export function awaitConfirmation(
  cloud: ComputeCloud,
  server: Server,
  { flavor, host: next }: { flavor: Flavor; host: Host | undefined },
): void {
  const { flavor: oldFlavor, host, vmState } = server;
  if (next === undefined) {
    endMigration(cloud, server, 'error');
    restore(cloud, server, vmState);
    return;
  }
  updateServer(cloud, server, {
    resizedFrom: { flavor: oldFlavor, host, vmState },
    flavor,
    host: next.name,
    status: 'VERIFY_RESIZE',
    vmState: 'resized',
    taskState: null,
  });
  endMigration(cloud, server, 'finished', next.name);
  if (vmState === 'active') cloud.guests.boot(server);
}

/** The server shows no task meanwhile: only its migration says that it is being confirmed. */
export function confirmResize({ cloud }: ComputeCall, server: Server): Reply {
  requireServerState(server, 'confirmResize', ['resized']);
  requireFinished(cloud, server);
  endMigration(cloud, server, 'confirming');
  cloud.schedule.after(CONFIRM_MS, finishConfirm, server);
  return noContent();
}

export function finishConfirm(cloud: ComputeCloud, server: Server): void {
  if (server.vmState !== 'resized' || server.taskState !== null) return;
  const wasActive = server.resizedFrom?.vmState === 'active';
  const to = wasActive ? { status: 'ACTIVE', vmState: 'active' } : { status: 'SHUTOFF', vmState: 'stopped' };
  updateServer(cloud, server, { resizedFrom: null, ...to });
  endMigration(cloud, server, 'confirmed');
}

export function revertResize({ cloud }: ComputeCall, server: Server): Reply {
  requireServerState(server, 'revertResize', ['resized']);
  requireFinished(cloud, server);
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState: 'resize_reverting', status: 'REVERT_RESIZE' });
  cloud.schedule.after(REVERT_MS, finishRevert, server);
  return accepted();
}

export function finishRevert(cloud: ComputeCloud, server: Server): void {
  if (server.taskState !== 'resize_reverting' || server.resizedFrom === null) return;
  const { flavor, host, vmState } = server.resizedFrom;
  updateServer(cloud, server, { flavor, host, resizedFrom: null });
  endMigration(cloud, server, 'reverted');
  restore(cloud, server, vmState);
}

function requireFinished(cloud: ComputeCloud, server: Server): void {
  if (latestMigration(cloud, server)?.status !== 'finished')
    throw badRequest('Instance has not been resized.');
}

function restore(cloud: ComputeCloud, server: Server, vmState: string): void {
  if (vmState === 'active') markActive(cloud, server);
  else markShutOff(cloud, server);
}
