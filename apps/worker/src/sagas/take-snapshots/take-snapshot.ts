import type { TimeSeriesPoint, TimeSeriesType } from '@gateway/inventory';
import { type BoundClient, isFloatingIpUsed } from '@gateway/openstack';
import { readCountedInstances, statsOf } from '@gateway/resources';

interface SnapshotSources {
  /** With the rights to see all projects. */
  openstack: BoundClient;
  /** Whether the shared file system service is enabled. */
  hasShares: boolean;
}

type Readers = { [T in TimeSeriesType]: (sources: SnapshotSources) => Promise<TimeSeriesPoint<T>> };

const readers: Readers = {
  async instances({ openstack }) {
    return statsOf(await readCountedInstances(openstack));
  },
  async volumes({ openstack: { blockStorage } }) {
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
  async file_storage({ openstack, hasShares }) {
    if (!hasShares) return { total: 0, total_gb: 0 };
    const shares = await openstack.sharedFileSystem.shares.list({ all_tenants: 1 });
    return { total: shares.length, total_gb: sum(shares) };
  },
  async networks({ openstack: { network } }) {
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

/** Counts the resources of a type in the whole cloud. Reads at most three lists. */
export function takeSnapshot(type: TimeSeriesType, sources: SnapshotSources): Promise<TimeSeriesPoint> {
  return readers[type](sources);
}
