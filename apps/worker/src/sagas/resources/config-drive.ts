import type { BoundClient, ServerCreate, SubnetRecord } from '@gateway/openstack';

/**
 * Whether a server in these networks needs a config drive to get its addresses and its first-boot data: where
 * nothing gives it an address by itself, it does not reach the metadata service. A config drive for every
 * server would take space on its host for life, and in some clouds hinder its live migration.
 */
export async function needsConfigDrive(
  { network }: Pick<BoundClient, 'network'>,
  networks: Exclude<ServerCreate['networks'], string>,
): Promise<boolean> {
  const networkIds = await Promise.all(
    networks.map(async ({ port, uuid = '' }) =>
      port === undefined ? uuid : (await network.ports.get(port)).network_id,
    ),
  );
  const subnets = await network.subnets.list({ network_id: [...new Set(networkIds)] });
  return networkIds.some((id) => !isServed(subnets.filter(({ network_id }) => network_id === id)));
}

/** Images know only the IPv4 address of the metadata service. */
function isServed(subnets: readonly Pick<SubnetRecord, 'enable_dhcp' | 'ip_version'>[]): boolean {
  return (
    subnets.some(({ ip_version }) => ip_version === 4) && subnets.every(({ enable_dhcp }) => enable_dhcp)
  );
}
