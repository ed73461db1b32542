import {
  addGpus,
  type GpuCounts,
  type GpuRecords,
  gpuTypeKey,
  listServerGpus,
  type ServerGpus,
} from '@gateway/inventory';
import type { ListSources } from '../lists/cached-list.ts';
import type { GpuQuotas } from './gpu-quotas-shape.ts';

/** The quotas of the reader's project. Without quotas, nothing is read from the cloud. */
export async function readOwnGpuQuotas({
  config,
  openstack,
  reader,
  readGpuRecords,
}: ListSources): Promise<GpuQuotas> {
  const records = await readGpuRecords(reader.projectId);
  return presentGpuQuotas(records, () => listServerGpus(openstack, config.gpu));
}

/**
 * The quotas of a project with their usage: the GPUs of its servers, including stopped ones, and of
 * creations in progress.
 *
 * @param listServers called only if the project has a limit
 */
export async function presentGpuQuotas(
  { limits, defaults, reserved }: GpuRecords,
  listServers: () => Promise<ServerGpus[]>,
): Promise<GpuQuotas> {
  const entries = Object.entries({ ...defaults, ...limits });
  if (entries.length === 0) return {};
  const listed = await listServers();
  const resizing = new Set(listed.filter((row) => row.isResizing).map(({ serverId }) => serverId));
  const counted = reserved.filter(({ isKept, jobId }) => isKept !== true || resizing.has(jobId));
  const holders = new Set(counted.map(({ jobId }) => jobId));
  const isReserved = ({ jobId, serverId = '' }: ServerGpus) => holders.has(jobId) || holders.has(serverId);
  const inUse: GpuCounts = {};
  const servers = listed.filter((server) => !isReserved(server));
  for (const { gpus } of [...servers, ...counted]) {
    for (const count of Object.values(gpus)) addGpus(inUse, count);
  }
  return Object.fromEntries(
    entries.map(([key, { type, limit }]) => {
      const in_use = inUse[key]?.count ?? 0;
      const available = limit < 0 ? -1 : Math.max(0, limit - in_use);
      return [type, { limit, in_use, available, source: key in limits ? 'project' : 'default' }];
    }),
  );
}

/** The number of available GPUs of a type that the project may still use. */
export function capByQuota(quotas: GpuQuotas, type: string, available: number): number {
  const wanted = gpuTypeKey(type);
  const quota = Object.entries(quotas).find(([name]) => gpuTypeKey(name) === wanted)?.[1];
  return quota === undefined || quota.available < 0 ? available : Math.min(available, quota.available);
}
