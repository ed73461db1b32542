import Joi from 'joi';
import { nameField } from '../../http/schemas/fields.ts';
import { cidrField } from '../../http/schemas/network-addresses.ts';

export interface CreateNetworkBody {
  name: string;
  is_external: boolean;
  is_shared: boolean;
  cidr?: string;
  enable_dhcp: boolean;
}

export interface UpdateNetworkBody {
  name?: string;
  is_shared?: boolean;
}

export const createNetworkBody = Joi.object<CreateNetworkBody, true>({
  name: nameField().required(),
  is_external: Joi.boolean().strict().default(false),
  is_shared: Joi.boolean().strict().default(false),
  cidr: cidrField().description('Also creates a subnet, of the same name.'),
  enable_dhcp: Joi.boolean().strict().default(true).description('Of the subnet.'),
})
  .required()
  .meta({ name: 'CreateAdminNetwork' });

export const updateNetworkBody = Joi.object<UpdateNetworkBody, true>({
  name: nameField(),
  is_shared: Joi.boolean().strict(),
})
  .required()
  .meta({ name: 'UpdateAdminNetwork', example: () => ({ name: 'inside' }) });
