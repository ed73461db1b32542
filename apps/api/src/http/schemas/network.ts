import type { Network, Subnet } from '@gateway/views';
import Joi from 'joi';
import { type FieldsOf, listOf, shape, text } from './fields.ts';

/** A network as all endpoints show it. */
export const networkFields: FieldsOf<Network> = {
  id: Joi.string(),
  name: text(),
  status: Joi.string(),
  subnets: listOf(Joi.string()).description('Ids.'),
  is_external: Joi.boolean(),
  is_shared: Joi.boolean(),
  project_id: text().description('The owner.'),
};

export const networkShape = shape<Network>('Network', networkFields, () => ({ status: 'ACTIVE' }));

export const subnetShape = shape<Subnet>('Subnet', {
  id: Joi.string(),
  name: text(),
  cidr: Joi.string(),
  gateway_ip: Joi.string().allow(null),
  dhcp_enabled: Joi.boolean(),
  network_id: Joi.string(),
  ip_version: Joi.number().valid(4, 6),
});
