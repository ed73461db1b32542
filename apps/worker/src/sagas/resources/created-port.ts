import type { PortRecord } from '@gateway/openstack';

/** A port as the journal stores it. */
export interface CreatedPort {
  id: string;
  /**
   * The address that shares grant access to: the IPv4 address where there are both kinds; empty when there is
   * none.
   */
  address: string;
}

export function toCreatedPort({ id, fixed_ips }: PortRecord): CreatedPort {
  const addresses = fixed_ips.map(({ ip_address }) => ip_address);
  return { id, address: addresses.find((address) => address.includes('.')) ?? addresses[0] ?? '' };
}
