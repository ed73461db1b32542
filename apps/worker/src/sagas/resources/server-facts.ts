import type { BlockDevice, PortRecord } from '@gateway/openstack';

/** A port as the journal keeps it. */
export interface MadePort {
  id: string;
  /** By which shares let the server in: of the older kind where there are both; empty when there is none. */
  address: string;
}

export function madePort({ id, fixed_ips }: PortRecord): MadePort {
  const addresses = fixed_ips.map(({ ip_address }) => ip_address);
  return { id, address: addresses.find((address) => address.includes('.')) ?? addresses[0] ?? '' };
}

/** The disk that a server boots from. The server's deletion takes it along unless told otherwise. */
export function bootDisk(volumeId: string, deleteOnTermination = true): BlockDevice {
  return {
    boot_index: 0,
    uuid: volumeId,
    source_type: 'volume',
    destination_type: 'volume',
    delete_on_termination: deleteOnTermination,
  };
}
