import { chooseGateway, type SubnetGateway } from './gateways.ts';
import type { FixedIp, PortRecord } from './ports.ts';

type AddressedPort = Pick<PortRecord, 'id' | 'fixed_ips'>;

/** The fixed address of a floating IP, and the network that provides the floating IP. */
export interface FloatingIpTarget {
  portId: string;
  fixedAddress: string;
  externalNetworkId: string;
}

/** Addresses that can have a floating IP: IPv4 addresses whose subnet has a route to an external network. */
export function routedAddresses(
  ports: readonly AddressedPort[],
  gateways: readonly SubnetGateway[],
  configuredId: string | null,
): FloatingIpTarget[] {
  return ports.flatMap((port) =>
    ipv4Addresses(port).flatMap(({ subnet_id, ip_address }) => {
      const ways = gateways.filter(({ subnetId }) => subnetId === subnet_id);
      const externalNetworkId = chooseGateway(ways, configuredId);
      if (externalNetworkId === null) return [];
      return [{ portId: port.id, fixedAddress: ip_address, externalNetworkId }];
    }),
  );
}

/** Floating IPs exist for IPv4 only. */
export function ipv4Addresses({ fixed_ips }: Pick<PortRecord, 'fixed_ips'>): FixedIp[] {
  return fixed_ips.filter(({ ip_address }) => ip_address.includes('.'));
}
