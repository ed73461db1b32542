import { flag, id, idOrEmpty, listOf, nonEmptyText, oneOf, shapeLike, text } from '@gateway/core/shapes';
import type { Network, Subnet, SubnetDetail } from '@gateway/resources';

import { shownRanges, shownRoutes } from './shown-addresses.ts';

/** A network as all endpoints show it. */
export const networkFields = {
  id: id('network'),
  name: text('inside'),
  status: nonEmptyText('ACTIVE'),
  subnets: listOf(id('subnet')).describe('Ids.'),
  is_external: flag(false),
  is_shared: flag(false),
  project_id: idOrEmpty('project').describe('The owner.'),
  project_name: text('demo').nullable(),
};

export const networkShape = shapeLike<Network>('Network', networkFields);

const subnetFields = {
  id: id('subnet'),
  name: text('inside'),
  cidr: text('10.0.0.0/24').describe('Empty if the service does not say it.'),
  gateway_ip: text('10.0.0.1').nullable(),
  dhcp_enabled: flag(),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  ip_version: oneOf([4, 6]),
};

export const subnetShape = shapeLike<Subnet>('Subnet', subnetFields);

/** A subnet with its options, which reach the machines in it by DHCP. */
export const subnetDetailShape = shapeLike<SubnetDetail>('SubnetDetail', {
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

export const networkRows = { filters: { subnet_id: ['subnets'] } } as const;
