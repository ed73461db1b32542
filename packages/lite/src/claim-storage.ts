/**
 * Keys in the metadata of volumes and shares that were created for a cluster's claims. The
 * value is the cluster's id.
 *
 * Source: the storage drivers of the OpenStack cloud provider for Kubernetes, in `controllerserver.go`.
 */
export const claimMarks = {
  volume: 'cinder.csi.openstack.org/cluster',
  share: 'manila.csi.openstack.org/cluster',
} as const;

/** The numbers of volumes and shares of claims that a deleted cluster has left in its project. */
export interface KeptStorage {
  volumes: number;
  shares: number;
  /** Of these volumes and shares. */
  snapshots: number;
}

/** A sentence for users; null without volumes and shares. */
export function describeKeptStorage({ volumes, shares, snapshots }: KeptStorage): string | null {
  const kinds = [counted(volumes, 'volume'), counted(shares, 'share')].filter((kind) => kind !== null);
  if (kinds.length === 0) return null;
  const taken = counted(snapshots, 'snapshot');
  const all = [kinds.join(' and '), ...(taken === null ? [] : [taken])].join(', with ');
  return `The data of persistent volume claims was kept: ${all}. Delete what is no longer needed.`;
}

function counted(count: number, noun: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
