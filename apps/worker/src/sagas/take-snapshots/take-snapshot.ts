import { TIME_SERIES_FIELDS, type TimeSeriesPoint, type TimeSeriesType } from '@gateway/inventory';
import { type BoundClient, isFloatingIpUsed } from '@gateway/openstack';
import type { OptionalServices, ServiceName } from '@gateway/platform';
import { isOffered, readCountedInstances, statsOf } from '@gateway/resources';

interface SnapshotSources {
  /** With the rights to see all projects. */
  openstack: BoundClient;
  services: OptionalServices;
}

type Readers = { [T in TimeSeriesType]: (openstack: BoundClient) => Promise<TimeSeriesPoint<T>> };

const readers: Readers = {
  async instances(openstack) {
    return statsOf(await readCountedInstances(openstack));
  },
  async volumes({ blockStorage }) {
    const volumes = await blockStorage.volumes.listAs(({ size, status }) => ({ size, status }), {
      all_tenants: 1,
    });
    const count = (has: (status: string) => boolean) => volumes.filter(({ status }) => has(status)).length;
    const counts = {
      total: volumes.length,
      available: count((status) => status === 'available'),
      in_use: count((status) => status === 'in-use'),
      error: count((status) => status.startsWith('error')),
    };
    const other = counts.total - counts.available - counts.in_use - counts.error;
    return { ...counts, other, total_gb: sum(volumes) };
  },
  async file_storage({ sharedFileSystem }) {
    const shares = await sharedFileSystem.shares.list({ all_tenants: 1 });
    return { total: shares.length, total_gb: sum(shares) };
  },
  async networks({ network }) {
    const one = () => 1;
    const [networks, routers, floatingIps] = await Promise.all([
      network.networks.listFields(['id'], one),
      network.routers.listFields(['id'], one),
      network.floatingIps.listFields(['port_id', 'port_forwardings'], isFloatingIpUsed),
    ]);
    return {
      networks: networks.length,
      routers: routers.length,
      floating_ips_total: floatingIps.length,
      floating_ips_used: floatingIps.filter(Boolean).length,
    };
  },
};

function sum(rows: readonly { size: number }[]): number {
  return rows.reduce((total, { size }) => total + size, 0);
}

/** What a cloud may lack. */
const optional: Partial<Record<TimeSeriesType, ServiceName>> = {
  volumes: 'blockStorage',
  file_storage: 'sharedFileSystem',
};

/**
 * Counts the resources of a type in the whole cloud: none in a cloud without their service. Reads at most
 * three lists.
 */
export async function takeSnapshot(
  type: TimeSeriesType,
  { openstack, services }: SnapshotSources,
): Promise<TimeSeriesPoint> {
  const service = optional[type];
  if (service === undefined || (await isOffered(openstack, services, service)))
    return readers[type](openstack);
  return Object.fromEntries(TIME_SERIES_FIELDS[type].map((field) => [field, 0])) as TimeSeriesPoint;
}
