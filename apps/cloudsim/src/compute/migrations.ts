import { isObject, type JsonObject } from '../common/json.ts';
import { badRequest } from '../common/service-error.ts';
import { accepted, ok, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { endMigration, startMigration } from './migration-records.ts';
import { markActive, SHUT_DOWN, updateServer } from './power.ts';
import { awaitConfirmation } from './resize.ts';
import { hostFor } from './scheduling.ts';
import { requireServerState } from './server-state.ts';
import type { Host, Server } from './state.ts';

const LIVE_MIGRATION_MS = 500;
const MIGRATION_MS = 500;
const EVACUATION_MS = 600;

/** The service refuses only by state; a migration that fails afterwards leaves the server where it is. */
export function migrateLive(call: ComputeCall, server: Server, input: JsonObject): Reply {
  requireAdmin(call, 'os_compute_api:os-migrate-server:migrate_live');
  requireKnownFields(input, 'os-migrateLive', ['host', 'block_migration']);
  if (!('host' in input))
    throw badRequest("Invalid input for field/attribute os-migrateLive. 'host' is a required property");
  if (input.block_migration !== 'auto' && typeof input.block_migration !== 'boolean')
    throw badRequest('Invalid input for field/attribute block_migration.');
  requireServerState(server, 'os-migrateLive', ['active', 'paused']);
  const { cloud } = call;
  updateServer(cloud, server, { taskState: 'migrating', status: 'MIGRATING' });
  startMigration(cloud, server, 'live-migration');
  cloud.schedule.after(LIVE_MIGRATION_MS, finishLiveMigration, server);
  return accepted();
}

/** The guest keeps running. */
export function finishLiveMigration(cloud: ComputeCloud, server: Server): void {
  if (server.taskState !== 'migrating') return;
  const source = hostOf(cloud, server);
  const next = source?.isForcedDown === false ? otherHost(cloud, server) : undefined;
  const status = server.vmState.toUpperCase();
  updateServer(cloud, server, { taskState: null, status, ...(next && { host: next.name }) });
  endMigration(cloud, server, next === undefined ? 'error' : 'completed', next?.name);
}

/** The server waits for a confirmation on its new host, like a resized one. */
export function migrateServer(call: ComputeCall, server: Server): Reply {
  requireAdmin(call, 'os_compute_api:os-migrate-server:migrate');
  requireServerState(server, 'migrate', ['active', 'stopped']);
  const { cloud } = call;
  cloud.guests.halt(server);
  updateServer(cloud, server, { taskState: 'resize_prep', status: 'RESIZE' });
  startMigration(cloud, server, 'migration');
  cloud.schedule.after(MIGRATION_MS, finishMigration, server);
  return accepted();
}

export function finishMigration(cloud: ComputeCloud, server: Server): void {
  if (server.taskState !== 'resize_prep') return;
  awaitConfirmation(cloud, server, { flavor: server.flavor, host: otherHost(cloud, server) });
}

/** Builds the server anew on another host, from its volumes or its image. */
export function evacuateServer(call: ComputeCall, server: Server, input: JsonObject): Reply {
  requireAdmin(call, 'os_compute_api:os-evacuate');
  requireKnownFields(input, 'evacuate', ['host', 'adminPass']);
  requireServerState(server, 'evacuate', ['active', 'stopped', 'error']);
  const { cloud } = call;
  if (hostOf(cloud, server)?.isForcedDown !== true)
    throw badRequest(`Compute service of ${server.host} is still in use.`);
  updateServer(cloud, server, { taskState: 'rebuilding', status: 'REBUILD' });
  startMigration(cloud, server, 'evacuation');
  cloud.schedule.after(EVACUATION_MS, finishEvacuation, server);
  return ok(undefined);
}

/** Without a host for it, the server is in an error state where it was. */
export function finishEvacuation(cloud: ComputeCloud, server: Server): void {
  if (server.taskState !== 'rebuilding') return;
  const next = otherHost(cloud, server);
  if (next === undefined) {
    const message = 'No valid host was found. There are not enough hosts available.';
    updateServer(cloud, server, {
      taskState: null,
      status: 'ERROR',
      vmState: 'error',
      fault: { code: 500, message, createdMs: cloud.clock.now() },
    });
    endMigration(cloud, server, 'error');
    return;
  }
  updateServer(cloud, server, { host: next.name, fault: null });
  endMigration(cloud, server, 'done', next.name);
  if (server.vmState === 'stopped')
    updateServer(cloud, server, { status: 'SHUTOFF', taskState: null, powerState: SHUT_DOWN });
  else markActive(cloud, server);
}

function otherHost({ compute }: ComputeCloud, server: Server): Host | undefined {
  return hostFor(compute, server, server.host);
}

function hostOf({ compute }: ComputeCloud, server: Server): Host | undefined {
  return compute.hosts.find(({ name }) => name === server.host);
}

function requireKnownFields(input: JsonObject, action: string, known: readonly string[]): void {
  if (!isObject(input)) throw badRequest(`Invalid input for field/attribute ${action}.`);
  const [unknown] = Object.keys(input).filter((field) => !known.includes(field));
  if (unknown !== undefined)
    throw badRequest(
      `Invalid input for field/attribute ${action}. Additional properties are not allowed ('${unknown}' was unexpected)`,
    );
}
