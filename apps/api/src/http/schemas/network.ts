import type { Network, Subnet, SubnetDetail } from '@gateway/resources';
import Joi from 'joi';
import { type FieldsOf, listOf, nullableText, shape, text } from './fields.ts';
import { shownRanges, shownRoutes } from './network-addresses.ts';

/** A network as all endpoints show it. */
export const networkFields: FieldsOf<Network> = {
  id: Joi.string(),
  name: text(),
  status: Joi.string(),
  subnets: listOf(Joi.string()).description('Ids.'),
  is_external: Joi.boolean(),
  is_shared: Joi.boolean(),
  project_id: text().description('The owner.'),
  project_name: nullableText(),
};

export const networkShape = shape<Network>('Network', networkFields, () => ({ status: 'ACTIVE' }));

const subnetFields: FieldsOf<Subnet> = {
  id: Joi.string(),
  name: text(),
  cidr: text().description('Empty if the service does not say it.'),
  gateway_ip: nullableText(),
  dhcp_enabled: Joi.boolean(),
  network_id: text(),
  network_name: nullableText(),
  ip_version: Joi.number().valid(4, 6),
};

export const subnetShape = shape<Subnet>('Subnet', subnetFields);

/** A subnet with its options, which reach the machines in it by DHCP. */
export const subnetDetailShape = shape<SubnetDetail>('SubnetDetail', {
  ...subnetFields,
  allocation_pools: shownRanges().description('The ranges from which ports get addresses.'),
  dns_nameservers: listOf(Joi.string()),
  host_routes: shownRoutes(),
  ipv6_address_mode: nullableText().description(
    'How machines get addresses: `slaac`, `dhcpv6-stateful` or `dhcpv6-stateless`; null if the cloud does not give them.',
  ),
  ipv6_ra_mode: nullableText().description('The same of the routers that announce the subnet.'),
});

export const networkRows = { filters: { subnet_id: ['subnets'] } } as const;
