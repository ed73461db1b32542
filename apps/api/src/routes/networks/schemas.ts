import type { DnsNetwork, NetworkDetail, Topology } from '@gateway/resources';
import Joi from 'joi';
import { listOf, nameField, nullableText, part, shape, text } from '../../http/schemas/fields.ts';
import { floatingIpShape } from '../../http/schemas/floating-ip.ts';
import { networkFields, subnetDetailShape, subnetShape } from '../../http/schemas/network.ts';
import {
  type AddressRange,
  addressesField,
  addressField,
  cidrField,
  entries,
  type Route,
  rangesField,
  routesField,
} from '../../http/schemas/network-addresses.ts';
import { routerShape } from '../../http/schemas/router.ts';
import { topologyInstanceFields } from '../../http/schemas/topology.ts';

export interface CreateNetworkBody {
  name: string;
}

export interface UpdateNetworkBody {
  name?: string;
}

interface SubnetSettings {
  /** Null for none. */
  gateway_ip?: string | null;
  allocation_pools?: AddressRange[];
  dns_nameservers?: string[];
  host_routes?: Route[];
}

export interface CreateSubnetBody extends SubnetSettings {
  name: string;
  cidr: string;
  enable_dhcp: boolean;
}

export interface UpdateSubnetBody extends SubnetSettings {
  name?: string;
  enable_dhcp?: boolean;
}

export const createNetworkBody = Joi.object<CreateNetworkBody, true>({ name: nameField().required() })
  .required()
  .meta({ name: 'CreateNetwork' });

export const updateNetworkBody = Joi.object<UpdateNetworkBody, true>({ name: nameField().optional() })
  .required()
  .meta({ name: 'UpdateNetwork', example: () => ({ name: 'inside' }) });

const settings = {
  gateway_ip: addressField()
    .allow(null)
    .optional()
    .description('Of the IP version of the CIDR, which need not contain it; null for none.'),
  allocation_pools: entries(rangesField())
    .optional()
    .description('The ranges from which ports get addresses, without the gateway. By default all others.'),
  dns_nameservers: entries(addressesField())
    .optional()
    .description('Instances get them by DHCP. By default those of the cloud.'),
  host_routes: entries(routesField()).optional().description('Instances get them by DHCP.'),
};

export const createSubnetBody = Joi.object<CreateSubnetBody, true>({
  name: nameField().required(),
  cidr: cidrField().required(),
  ...settings,
  enable_dhcp: Joi.boolean().strict().default(true),
})
  .required()
  .meta({ name: 'CreateSubnet' });

export const updateSubnetBody = Joi.object<UpdateSubnetBody, true>({
  name: nameField().optional(),
  ...settings,
  enable_dhcp: Joi.boolean().strict().optional(),
})
  .required()
  .meta({ name: 'UpdateSubnet', example: () => ({ enable_dhcp: true }) });

export const networkDetailShape = shape<NetworkDetail>(
  'NetworkDetail',
  {
    ...networkFields,
    subnet_details: listOf(subnetDetailShape),
    routers: listOf(routerShape).description(
      "The project's routers with an interface or their gateway in the network.",
    ),
  },
  () => ({ status: 'ACTIVE' }),
);

export const dnsNetworkShape = shape<DnsNetwork>('DnsNetwork', {
  id: Joi.string(),
  name: text(),
  dns_domain: Joi.string().description('The zone of the names, which ends with a dot.'),
  is_external: Joi.boolean(),
  is_shared: Joi.boolean(),
  project_id: text().description('The owner.'),
  project_name: nullableText(),
});

export const topologyShape = shape<Topology>(
  'Topology',
  {
    networks: listOf(
      part({
        ...networkFields,
        subnet_details: listOf(subnetShape).description(
          'Empty for a network of another project that is only external.',
        ),
      }),
    ),
    routers: listOf(routerShape),
    instances: listOf(part(topologyInstanceFields)),
    floating_ips: listOf(floatingIpShape),
  },
  () => ({ networks: [{ status: 'ACTIVE', name: 'inside' }], instances: [{ status: 'ACTIVE' }] }),
);
