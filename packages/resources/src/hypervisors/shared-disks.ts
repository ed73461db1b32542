import { type BoundClient, nullIfNotFound } from '@gateway/openstack';
import type { Hypervisor } from './hypervisor-shape.ts';

/** A storage for the disks of several hosts, each of which reports its size as that of a disk of its own. */
interface SharedDisk {
  totalGb: number;
  /** The ids of the hosts, among others. */
  hosts: ReadonlySet<string>;
}

const SHARING = 'MISC_SHARES_VIA_AGGREGATE';
const DISK = 'DISK_GB';

/** Makes one call, and three more for each provider that shares a resource with its aggregates. */
export async function readSharedDisks({ placement }: BoundClient): Promise<SharedDisk[]> {
  const { providers } = placement;
  const sharing = await providers.list({ required: SHARING });
  const disks = await Promise.all(
    sharing.map(async ({ uuid }) => {
      const [inventories, aggregates] = await Promise.all([
        nullIfNotFound(providers.inventories(uuid)),
        nullIfNotFound(providers.aggregates(uuid)),
      ]);
      const totalGb = inventories?.[DISK]?.total;
      if (totalGb === undefined || !aggregates?.length) return [];
      const members = await providers.list({ member_of: `in:${aggregates.join(',')}` });
      const hosts = new Set(members.map((member) => member.uuid).filter((id) => id !== uuid));
      return [{ totalGb, hosts }];
    }),
  );
  return disks.flat();
}

/**
 * The disks of all hosts, each shared one counted once.
 *
 * @param areAllShared whether the hosts without a known shared disk have one in common, of which the services
 *   do not know
 */
export function diskTotalGb(
  hypervisors: readonly Pick<Hypervisor, 'id' | 'local_disk_gb'>[],
  shared: readonly SharedDisk[],
  areAllShared: boolean,
): number {
  const used = shared.filter(({ hosts }) => hypervisors.some(({ id }) => hosts.has(id)));
  const others = hypervisors.filter(({ id }) => !used.some(({ hosts }) => hosts.has(id)));
  const sizes = others.map(({ local_disk_gb }) => local_disk_gb);
  const ofOthers = areAllShared ? Math.max(0, ...sizes) : sizes.reduce((total, gb) => total + gb, 0);
  return used.reduce((total, { totalGb }) => total + totalGb, ofOthers);
}
