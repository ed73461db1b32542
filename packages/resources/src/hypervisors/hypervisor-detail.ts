import { GatewayError } from '@gateway/core';
import { type HypervisorRecord, nullIfNotFound, type ServerRecord } from '@gateway/openstack';
import { allProjectNames } from '../identity/projects.ts';
import type { ListSources } from '../lists/cached-list.ts';
import { DashboardParts } from '../lists/dashboard-parts.ts';
import { addNames } from '../lists/names.ts';
import type { HypervisorDetail } from './hypervisor-shape.ts';
import { presentHypervisor, withFigures } from './hypervisors.ts';
import { allowedOf, processorsOf } from './provider-figures.ts';

/**
 * Completes a hypervisor with three calls and the names of projects, and two more if the compute service has
 * no figures.
 *
 * @param timeoutMs how long to wait for the host, and for the placement service
 */
export async function readHypervisorDetail(
  sources: ListSources,
  record: HypervisorRecord,
  timeoutMs: number,
): Promise<HypervisorDetail> {
  const { openstack } = sources;
  const parts = new DashboardParts(timeoutMs);
  const { hypervisors } = openstack.compute;
  const [uptime, inventories, onHost] = await Promise.all([
    record.state === 'up' ? parts.read('compute', () => nullIfRefused(hypervisors.uptime(record.id))) : null,
    parts.read('placement', () => nullIfNotFound(openstack.placement.providers.inventories(record.id))),
    listOnHost(sources, record),
  ]);
  const processors = inventories && processorsOf(inventories);
  const complete = await withFigures(openstack, record, processors);
  const own = onHost.filter(({ hypervisor }) => hypervisor === record.hypervisor_hostname);
  const figures = record.running_vms === null ? { ...complete, running_vms: own.length } : complete;
  return {
    ...presentHypervisor(figures),
    hypervisor_version: record.hypervisor_version,
    host_ip: record.host_ip,
    uptime: uptime?.trim() || null,
    cpu_info: record.cpu_info,
    service_host: record.service.host ?? '',
    disabled_reason: record.service.disabled_reason,
    vcpus_allowed: processors?.allowed ?? null,
    memory_allowed_mb: inventories && allowedOf(inventories, ['MEMORY_MB']),
    servers: await addNames(
      sources,
      own.map(({ hypervisor: _, ...server }): HypervisorDetail['servers'][number] => server),
      { project_id: allProjectNames },
    ),
  };
}

/** Without the name of the host, a list would have the servers of all hosts. */
async function listOnHost({ openstack }: ListSources, { service: { host } }: HypervisorRecord) {
  return host === null ? [] : openstack.compute.servers.listAs(presentServer, { all_tenants: 1, host });
}

/** Several hypervisors can share the host of a compute service. */
function presentServer(server: ServerRecord) {
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    project_id: server.tenant_id,
    project_name: null,
    flavor: server.flavor.original_name,
    hypervisor: server['OS-EXT-SRV-ATTR:hypervisor_hostname'],
  };
}

async function nullIfRefused<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
