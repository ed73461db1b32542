import { JOB_METADATA_KEY } from '@gateway/core';
import {
  type BoundClient,
  holdsResources,
  requireWholeServer,
  type ServerFlavor,
  type ServerQuery,
  type ServerRecord,
} from '@gateway/openstack';
import type { GpuConfig } from '@gateway/platform';
import { countGpus, type GpuAttributes } from './flavor-gpus.ts';
import { gpuTypesOf } from './gpu-devices.ts';
import type { ServerGpus } from './gpu-quota-store.ts';

/** The GPUs that the server occupies at the moment. */
export function gpusHeldBy(server: ServerRecord): number {
  return holdsResources(server) ? countGpus(attributesOf(server.flavor)) : 0;
}

/** Servers that have GPUs or are being resized, of the caller's project or the project in the query. */
export async function listServerGpus(
  { compute }: Pick<BoundClient, 'compute'>,
  { devices }: GpuConfig,
  query?: ServerQuery,
): Promise<ServerGpus[]> {
  const servers = await compute.servers.listAs((server) => toServerGpus(server, devices), query);
  return servers.filter(hasGpus);
}

/**
 * The same for the caller's project, to decide whether it may have more.
 *
 * @throws 503 while a server is in a cell that is down: nobody knows its GPUs
 */
export async function listAllServerGpus(
  { compute }: Pick<BoundClient, 'compute'>,
  { devices }: GpuConfig,
): Promise<ServerGpus[]> {
  const servers = await compute.servers.listAs((server) => {
    requireWholeServer(server);
    return toServerGpus(server, devices);
  });
  return servers.filter(hasGpus);
}

function toServerGpus(server: ServerRecord, devices: GpuConfig['devices']): ServerGpus {
  const gpus = holdsResources(server) ? gpuTypesOf(attributesOf(server.flavor), devices) : {};
  const jobId = server.metadata?.[JOB_METADATA_KEY] ?? '';
  return { serverId: server.id, jobId, gpus, ...(isResizing(server) && { isResizing: true }) };
}

function hasGpus({ gpus, isResizing }: ServerGpus): boolean {
  return isResizing === true || Object.keys(gpus).length > 0;
}

/** The service shows the flavor that the server has had until the end. */
function isResizing({ status }: ServerRecord): boolean {
  return status === 'RESIZE' || status === 'REVERT_RESIZE';
}

/** The server's record contains the flavor's extra specs from the server's creation. */
function attributesOf({ original_name: name, extra_specs }: ServerFlavor): GpuAttributes {
  return { name, extra_specs };
}
