import { booleanAt, isObject, stringAt } from '../common/json.ts';
import { badRequest, notFound } from '../common/service-error.ts';
import { runningProcess } from '../common/service-process.ts';
import { microseconds } from '../common/timestamps.ts';
import { type Operation, ok, operation, type Reply } from '../http/operation.ts';
import { requireAdmin } from '../http/policy.ts';
import type { ComputeCall, ComputeCloud } from './cloud.ts';
import { hasEvacuated } from './migration-records.ts';
import { type HostUsage, usageOf } from './scheduling.ts';
import type { Host } from './state.ts';

const CPU_INFO = {
  arch: 'x86_64',
  model: 'Nehalem',
  vendor: 'Intel',
  features: ['pge', 'clflush'],
  topology: { cores: 1, threads: 1, sockets: 4 },
};

const UPTIME = ' 02:18:36 up 0 days, 0:19,  0 users,  load average: 0.10';

interface PresentedHost {
  [field: string]: unknown;
  id: string | number;
  hypervisor_hostname: string;
  state: string;
  status: string;
}

function stateOf(host: Host): 'up' | 'down' {
  return host.isForcedDown ? 'down' : 'up';
}

/** Includes usage up to 2.87; in later versions only placement reports usage. Ids are UUIDs from 2.53. */
function presentHypervisor(call: ComputeCall, host: Host, usage: HostUsage): PresentedHost {
  const { minor } = call;
  const servers =
    minor >= 53 && call.query.get('with_servers') !== 'true'
      ? {}
      : { servers: usage.servers.map(({ id, name }) => ({ uuid: id, name })) };
  return {
    id: minor >= 53 ? host.id : host.number,
    hypervisor_hostname: host.name,
    state: stateOf(host),
    status: host.status,
    hypervisor_type: 'fake',
    hypervisor_version: 1000,
    host_ip: '127.0.0.1',
    service: {
      id: minor >= 53 ? host.serviceId : host.number,
      host: host.name,
      disabled_reason: host.disabledReason,
    },
    ...(minor >= 53 ? servers : {}),
    ...(minor >= 88
      ? { uptime: UPTIME }
      : {
          vcpus: host.vcpus,
          memory_mb: host.ramMb,
          local_gb: host.diskGb,
          vcpus_used: usage.vcpus,
          memory_mb_used: usage.ramMb,
          local_gb_used: usage.diskGb,
          free_ram_mb: host.ramMb - usage.ramMb,
          free_disk_gb: host.diskGb - usage.diskGb,
          current_workload: 0,
          running_vms: usage.servers.length,
          disk_available_least: 0,
          cpu_info: minor >= 28 ? CPU_INFO : JSON.stringify(CPU_INFO),
        }),
  };
}

function listDetail(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-hypervisors:list-detail');
  const { hosts } = call.cloud.compute;
  return ok({
    hypervisors: hosts.map((host) => presentHypervisor(call, host, usageOf(call.cloud.compute, host))),
  });
}

function list(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-hypervisors:list');
  const rows = call.cloud.compute.hosts.map((host) => ({
    id: call.minor >= 53 ? host.id : host.number,
    hypervisor_hostname: host.name,
    state: stateOf(host),
    status: host.status,
  }));
  return ok({ hypervisors: rows });
}

function get(call: ComputeCall): Reply {
  return ok({ hypervisor: findHost(call) });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function findHost(call: ComputeCall): PresentedHost {
  requireAdmin(call, 'os_compute_api:os-hypervisors:show');
  const requested = call.params.id ?? '';
  if (call.minor >= 53 && !UUID.test(requested)) throw badRequest(`Invalid uuid ${requested}`);
  const host = call.cloud.compute.hosts.find(
    ({ id, number }) => id === requested || String(number) === requested,
  );
  if (host === undefined) throw notFound(`Hypervisor with ID '${requested}' could not be found.`);
  return presentHypervisor(call, host, usageOf(call.cloud.compute, host));
}

/** Version 2.88 moved the uptime into the hypervisor itself. */
function uptime(call: ComputeCall): Reply {
  const { id, hypervisor_hostname, state, status } = findHost(call);
  return ok({ hypervisor: { id, hypervisor_hostname, state, status, uptime: UPTIME } });
}

function listServices(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-services:list');
  const updatedAt = microseconds(call.cloud.clock.now());
  const row = (id: string | number, binary: string, host: string, zone: string, of?: Host) => ({
    ...runningProcess(binary, host, updatedAt),
    id,
    zone,
    ...(of !== undefined && { status: of.status, state: stateOf(of) }),
    disabled_reason: of?.disabledReason ?? null,
    ...(call.minor >= 11 ? { forced_down: of?.isForcedDown ?? false } : {}),
  });
  const { hosts } = call.cloud.compute;
  const services = [
    row(
      call.minor >= 53 ? `${hosts[0]?.serviceId.slice(0, -1)}c` : 101,
      'nova-conductor',
      'compute-1',
      'internal',
    ),
    row(
      call.minor >= 53 ? `${hosts[0]?.serviceId.slice(0, -1)}d` : 102,
      'nova-scheduler',
      'compute-1',
      'internal',
    ),
    ...hosts.map((host) =>
      row(call.minor >= 53 ? host.serviceId : host.number, 'nova-compute', host.name, 'nova', host),
    ),
  ];
  const binary = call.query.get('binary');
  return ok({ services: services.filter((service) => binary === null || service.binary === binary) });
}

/** Since version 2.53 the id of the process is in the path. */
function updateService(call: ComputeCall): Reply {
  requireAdmin(call, 'os_compute_api:os-services:update');
  const id = call.params.id ?? '';
  const host = call.cloud.compute.hosts.find(({ serviceId }) => serviceId === id);
  if (host === undefined) throw notFound(`Compute service ${id} could not be found.`);
  const input = isObject(call.body) ? call.body : {};
  const status = stringAt(input, 'status') ?? host.status;
  const reason = stringAt(input, 'disabled_reason') ?? (status === host.status ? host.disabledReason : null);
  if (status !== 'enabled' && status !== 'disabled')
    throw badRequest(`Invalid input for field/attribute status. Value: ${status}.`);
  if (status === 'enabled' && input.disabled_reason !== undefined)
    throw badRequest("Specifying 'disabled_reason' when status is 'enabled' is invalid.");
  const isForcedDown = booleanAt(input, 'forced_down', host.isForcedDown);
  if (!isForcedDown && input.forced_down !== undefined && hasEvacuated(call.cloud, host.name))
    throw badRequest(
      `Unable to force up host ${host.name} as \`done\` evacuation migration records remain associated with the host. ` +
        'Ensure the compute service has been restarted, allowing these records to move to `completed` before retrying this request.',
    );
  host.status = status;
  host.disabledReason = status === 'enabled' ? null : reason;
  host.isForcedDown = isForcedDown;
  return ok({ service: { id, host: host.name, binary: 'nova-compute', status, disabled_reason: reason } });
}

function listZones({ cloud }: ComputeCall): Reply {
  const row = (zoneName: string) => ({ zoneName, zoneState: { available: true }, hosts: null });
  return ok({ availabilityZoneInfo: cloud.settings.serverZones.map(row) });
}

export const hostOperations: Operation<ComputeCloud>[] = [
  operation('hypervisors.list_detail', 'GET /os-hypervisors/detail', listDetail),
  operation('hypervisors.list', 'GET /os-hypervisors', list),
  operation('hypervisors.get', 'GET /os-hypervisors/:id', get),
  operation('hypervisors.uptime', 'GET /os-hypervisors/:id/uptime', uptime),
  operation('services.list', 'GET /os-services', listServices),
  operation('services.update', 'PUT /os-services/:id', updateService),
  operation('availability_zones.list', 'GET /os-availability-zone', listZones),
];
