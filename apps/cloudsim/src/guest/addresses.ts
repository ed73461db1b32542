import type { Server } from '../compute/state.ts';
import type { GuestCloud } from './cloud.ts';

/** The fixed addresses of the server's ports. */
export function addressesOf(cloud: GuestCloud, server: Server): string[] {
  const ports = cloud.network.portsByDevice.get(server.id) ?? [];
  return [...ports].flatMap(({ fixed_ips }) => fixed_ips.map(({ ip_address }) => ip_address));
}
