import type { DnsNetwork, NetworkDetail, Topology } from '@gateway/views';
import Joi from 'joi';
import { listOf, nameField, part, shape, text } from '../../http/schemas/fields.ts';
import { floatingIpShape } from '../../http/schemas/floating-ip.ts';
import { networkFields, subnetShape } from '../../http/schemas/network.ts';
import { routerShape } from '../../http/schemas/router.ts';
import { topologyInstanceFields } from '../../http/schemas/topology.ts';

export interface CreateNetworkBody {
  name: string;
}

export interface CreateSubnetBody {
  name: string;
  cidr: string;
  /** Null for none. */
  gateway_ip?: string | null;
  enable_dhcp: boolean;
}

export interface UpdateSubnetBody {
  name?: string;
  /** Null removes it. */
  gateway_ip?: string | null;
  enable_dhcp?: boolean;
}

export const createNetworkBody = Joi.object<CreateNetworkBody, true>({ name: nameField().required() })
  .required()
  .meta({ name: 'CreateNetwork' });

const gatewayField = () =>
  Joi.string()
    .ip({ cidr: 'forbidden' })
    .allow(null)
    .messages({ 'string.ip': 'must be an IP address' })
    .description('An address of the CIDR; null for none.');

export const createSubnetBody = Joi.object<CreateSubnetBody, true>({
  name: nameField().required(),
  cidr: Joi.string()
    .ip({ cidr: 'required' })
    .required()
    .messages({ 'string.ip': 'must be a network in CIDR notation, as 10.0.0.0/24' }),
  gateway_ip: gatewayField().optional(),
  enable_dhcp: Joi.boolean().strict().default(true),
})
  .required()
  .meta({ name: 'CreateSubnet' });

export const updateSubnetBody = Joi.object<UpdateSubnetBody, true>({
  name: nameField().optional(),
  gateway_ip: gatewayField().optional(),
  enable_dhcp: Joi.boolean().strict().optional(),
})
  .required()
  .meta({ name: 'UpdateSubnet', example: () => ({ enable_dhcp: true }) });

export const networkDetailShape = shape<NetworkDetail>(
  'NetworkDetail',
  {
    ...networkFields,
    subnet_details: listOf(subnetShape),
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
