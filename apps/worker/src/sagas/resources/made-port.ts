import type { PortRecord } from '@gateway/openstack';

/** A port as the journal keeps it. */
export interface MadePort {
  id: string;
  /** The address that shares grant access to: the IPv4 address where there are both kinds; empty when there is none. */
  address: string;
}

export function madePort({ id, fixed_ips }: PortRecord): MadePort {
  const addresses = fixed_ips.map(({ ip_address }) => ip_address);
  return { id, address: addresses.find((address) => address.includes('.')) ?? addresses[0] ?? '' };
}
