import Joi from 'joi';
import { existingNameField, nameField } from '../../http/schemas/fields.ts';
import { cidrField } from '../../http/schemas/network-addresses.ts';

export interface CreateNetworkBody {
  name: string;
  is_external: boolean;
  is_shared: boolean;
  cidr?: string;
  enable_dhcp: boolean;
  provider_network_type?: string;
  provider_physical_network?: string;
  provider_segmentation_id?: number;
}

export interface UpdateNetworkBody {
  name?: string;
  is_shared?: boolean;
}

/** The id of a GRE tunnel has 32 bits, the others have fewer. */
const MAX_SEGMENT = 2 ** 32 - 1;

export const createNetworkBody = Joi.object<CreateNetworkBody, true>({
  name: nameField().required(),
  is_external: Joi.boolean().strict().default(false),
  is_shared: Joi.boolean().strict().default(false),
  cidr: cidrField().description('Also creates a subnet, of the same name.'),
  enable_dhcp: Joi.boolean().strict().default(true).description('Of the subnet.'),
  provider_network_type: existingNameField().description(
    'How the cloud carries it: `flat`, `vlan`, `vxlan`, `geneve` and others. By default the choice of the cloud.',
  ),
  provider_physical_network: existingNameField().description('For `flat` and `vlan`.'),
  provider_segmentation_id: Joi.number()
    .integer()
    .min(1)
    .max(MAX_SEGMENT)
    .description('The id of the VLAN or of the tunnel. By default a free one.'),
})
  .required()
  .meta({ name: 'CreateAdminNetwork' });

export const updateNetworkBody = Joi.object<UpdateNetworkBody, true>({
  name: nameField(),
  is_shared: Joi.boolean().strict(),
})
  .required()
  .meta({ name: 'UpdateAdminNetwork', example: () => ({ name: 'inside' }) });
