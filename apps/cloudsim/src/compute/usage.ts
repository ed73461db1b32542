import { badRequest } from '../common/service-error.ts';
import { microseconds } from '../common/timestamps.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { nextQuery, pageOf } from '../http/page.ts';
import { denied, owns, requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { limitIn } from './requests.ts';
import type { EndedServer, Server } from './state.ts';

interface Period {
  startMs: number;
  endMs: number;
}

type UsageRow = ReturnType<typeof usageRow>;

/** What usage reports need of a deleted server; undefined if it has never run. */
export function endedServer(server: Server, endedMs: number): EndedServer | undefined {
  const { id, projectId, name, flavor, launchedMs } = server;
  return launchedMs === null ? undefined : { id, projectId, name, flavor, launchedMs, endedMs };
}

function getUsage(call: ComputeCall): Reply {
  const id = call.params.id ?? '';
  if (!owns(call.caller, id)) throw denied('os_compute_api:os-simple-tenant-usage:show');
  const period = periodIn(call);
  const { items, more } = pageOf(
    rowsOf(call, id, period),
    (row) => row.instance_id,
    call.query.get('marker'),
    limitIn(call.query),
    (marker) => badRequest(`Marker ${marker} could not be found.`),
  );
  if (items.length === 0) return ok({ tenant_usage: {} });
  const next = `${call.base}${call.url.split('?')[0]}?${nextQuery(call.query, items.at(-1)?.instance_id ?? '')}`;
  return ok({
    tenant_usage: { ...totalsOf(items), tenant_id: id, server_usages: items, ...bounds(period) },
    ...(more ? { tenant_usage_links: [{ rel: 'next', href: next }] } : {}),
  });
}

function listUsage(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-simple-tenant-usage:list');
  const period = periodIn(call);
  const projects = [...call.cloud.identity.projects.keys()].flatMap((id) => {
    const rows = rowsOf(call, id, period);
    return rows.length === 0 ? [] : [{ ...totalsOf(rows), tenant_id: id, ...bounds(period) }];
  });
  return ok({ tenant_usages: projects });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?$/;

function periodIn({ query, cloud }: ComputeCall): Period {
  const now = cloud.clock.now();
  const timeAt = (name: string) => {
    const text = query.get(name);
    if (text === null) return now;
    const ms = TIME.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
    if (Number.isNaN(ms)) throw badRequest('Invalid datetime string: Datetime is in invalid format');
    return ms;
  };
  const startMs = timeAt('start');
  const endMs = timeAt('end');
  if (startMs >= endMs)
    throw badRequest('Invalid start time. The start time cannot occur after the end time.');
  return { startMs, endMs: Math.min(endMs, now) };
}

/** Servers that ran in the period, including deleted servers. */
function rowsOf({ cloud }: ComputeCall, projectId: string, period: Period): UsageRow[] {
  const existing = [...cloud.compute.servers.values()].map((server) => ({ ...server, endedMs: null }));
  return [...cloud.compute.endedServers, ...existing].flatMap((server) => {
    const { launchedMs, endedMs } = server;
    if (server.projectId !== projectId || launchedMs === null) return [];
    if (launchedMs >= period.endMs || (endedMs ?? period.endMs) < period.startMs) return [];
    return [usageRow({ ...server, launchedMs }, period, cloud.clock.now())];
  });
}

type RunServer = Omit<EndedServer, 'endedMs'> & { endedMs: number | null; vmState?: string };

function usageRow(server: RunServer, { startMs, endMs }: Period, now: number) {
  const { launchedMs, endedMs, flavor } = server;
  return {
    hours: (Math.min(endMs, endedMs ?? endMs) - Math.max(startMs, launchedMs)) / 3_600_000,
    flavor: flavor.name,
    instance_id: server.id,
    name: server.name,
    tenant_id: server.projectId,
    memory_mb: flavor.ramMb,
    local_gb: flavor.diskGb,
    vcpus: flavor.vcpus,
    started_at: microseconds(launchedMs),
    ended_at: endedMs === null ? null : microseconds(endedMs),
    state: endedMs === null ? server.vmState : 'terminated',
    uptime: Math.floor(((endedMs ?? now) - launchedMs) / 1000),
  };
}

function totalsOf(rows: UsageRow[]) {
  const sum = (value: (row: UsageRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    total_hours: sum(({ hours }) => hours),
    total_vcpus_usage: sum(({ hours, vcpus }) => hours * vcpus),
    total_memory_mb_usage: sum(({ hours, memory_mb }) => hours * memory_mb),
    total_local_gb_usage: sum(({ hours, local_gb }) => hours * local_gb),
  };
}

function bounds({ startMs, endMs }: Period) {
  return { start: microseconds(startMs), stop: microseconds(endMs) };
}

export const usageOperations: Operation<ComputeCloud>[] = [
  operation('usage.get', 'GET /os-simple-tenant-usage/:id', getUsage),
  operation('usage.list', 'GET /os-simple-tenant-usage', listUsage),
];
