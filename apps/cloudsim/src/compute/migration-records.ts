import { newUuid } from '../common/ids.ts';
import { badRequest } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { limitIn } from './requests.ts';
import type { Migration, Server } from './state.ts';

const SHOWS_UUIDS = 59;
const SHOWS_OWNERS = 80;

export function startMigration(cloud: ComputeCloud, server: Server, type: Migration['type']): void {
  const { compute } = cloud;
  compute.migrations.push({
    number: ++compute.lastNumber,
    id: newUuid(),
    serverId: server.id,
    projectId: server.projectId,
    userId: server.userId,
    type,
    status: 'accepted',
    source: server.host ?? '',
    destination: null,
    createdMs: cloud.clock.now(),
    updatedMs: null,
  });
}

export function latestMigration({ compute }: ComputeCloud, server: Server): Migration | undefined {
  return compute.migrations.findLast(({ serverId }) => serverId === server.id);
}

/** Changes the last migration of the server. */
export function endMigration(
  cloud: ComputeCloud,
  server: Server,
  status: string,
  destination?: string,
): void {
  const migration = latestMigration(cloud, server);
  if (migration === undefined) return;
  migration.status = status;
  migration.destination = destination ?? migration.destination;
  migration.updatedMs = cloud.clock.now();
}

/** Whether servers were evacuated from a host, until its process starts anew. */
export function hasEvacuated({ compute }: ComputeCloud, host: string): boolean {
  return compute.migrations.some(
    ({ source, status, type }) => source === host && status === 'done' && type === 'evacuation',
  );
}

/** The records of a server end with it. */
export function forgetMigrations({ compute }: ComputeCloud, server: Server): void {
  compute.migrations = compute.migrations.filter(({ serverId }) => serverId !== server.id);
}

/** The newest first. */
function list(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-migrations:index');
  const { query } = call;
  const wanted = (key: string, value: string) => !query.has(key) || query.get(key) === value;
  const found = call.cloud.compute.migrations
    .filter(
      ({ serverId, source, status, type }) =>
        wanted('instance_uuid', serverId) &&
        wanted('source_compute', source) &&
        wanted('status', status) &&
        wanted('migration_type', type),
    )
    .reverse();
  const marker = query.get('marker');
  const at = found.findIndex(({ id }) => id === marker);
  if (marker !== null && at === -1) throw badRequest(`Marker ${marker} could not be found.`);
  const page = found.slice(at + 1, at + 1 + limitIn(query));
  return ok({ migrations: page.map((migration) => present(call, migration)) });
}

function present({ minor }: ComputeCall, migration: Migration): object {
  const { createdMs, destination, id, number, projectId, serverId, source, status, type, updatedMs, userId } =
    migration;
  return {
    id: number,
    ...(minor >= SHOWS_UUIDS && { uuid: id }),
    instance_uuid: serverId,
    source_compute: source,
    source_node: source,
    dest_compute: destination,
    dest_node: destination,
    dest_host: null,
    old_instance_type_id: 1,
    new_instance_type_id: 1,
    migration_type: type,
    status,
    created_at: microseconds(createdMs),
    updated_at: updatedMs === null ? null : microseconds(updatedMs),
    ...(minor >= SHOWS_OWNERS && { project_id: projectId, user_id: userId }),
  };
}

export const migrationOperations: Operation<ComputeCloud>[] = [
  operation('migrations.list', 'GET /os-migrations', list),
];
