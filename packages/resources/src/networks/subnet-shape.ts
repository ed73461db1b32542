import {
  enumOf,
  flag,
  id,
  idOrEmpty,
  listOf,
  nonEmptyText,
  type ShapeType,
  shape,
  text,
} from '@gateway/core/shapes';
import { shownRanges, shownRoutes } from './shown-addresses.ts';

const subnetFields = {
  id: id('subnet'),
  name: text('inside'),
  cidr: text('10.0.0.0/24').describe('Empty if the service does not say it.'),
  gateway_ip: text('10.0.0.1').nullable(),
  dhcp_enabled: flag(),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  ip_version: enumOf('IpVersion', [4, 6]),
};

export const subnetShape = shape('Subnet', subnetFields);

export type Subnet = ShapeType<typeof subnetShape>;

/** A subnet with its options, which reach the machines in it by DHCP. */
export const subnetDetailShape = shape('SubnetDetail', {
  ...subnetFields,
  allocation_pools: shownRanges().describe('The ranges from which ports get addresses.'),
  dns_nameservers: listOf(nonEmptyText('192.0.2.53')),
  host_routes: shownRoutes(),
  ipv6_address_mode: text()
    .nullable()
    .describe(
      'How machines get addresses: `slaac`, `dhcpv6-stateful` or `dhcpv6-stateless`; null if the cloud does not give them.',
    ),
  ipv6_ra_mode: text().nullable().describe('The same of the routers that announce the subnet.'),
});

export type SubnetDetail = ShapeType<typeof subnetDetailShape>;
