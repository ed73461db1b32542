import type { FloatingIp } from '@gateway/resources';
import Joi from 'joi';
import { nullableText, shape, text } from './fields.ts';

/** A floating IP as all endpoints show it. */
export const floatingIpShape = shape<FloatingIp>(
  'FloatingIp',
  {
    id: Joi.string(),
    floating_ip_address: text(),
    fixed_ip_address: nullableText(),
    status: Joi.string().description(
      '`ACTIVE` while associated, else `DOWN`; or another status of the service.',
    ),
    port_id: Joi.string()
      .allow(null)
      .description('Null while it is free; `unknown` if the service does not say it.'),
    port_name: nullableText(),
    instance_id: nullableText().description('The instance with the port, if an instance has it.'),
    instance_name: nullableText(),
    floating_network_id: text(),
    floating_network_name: nullableText(),
    project_id: Joi.string().allow(null),
    project_name: nullableText(),
  },
  () => ({ status: 'ACTIVE' }),
);

export const floatingIpRows = {
  filters: { network_id: ['floating_network_id'], ip_address: ['floating_ip_address', 'fixed_ip_address'] },
} as const;
