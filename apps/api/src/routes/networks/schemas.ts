import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';
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
