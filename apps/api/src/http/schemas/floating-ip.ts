import type { FloatingIp } from '@gateway/views';
import Joi from 'joi';
import { shape } from './fields.ts';

/** A floating IP as all endpoints show it. */
export const floatingIpShape = shape<FloatingIp>(
  'FloatingIp',
  {
    id: Joi.string(),
    floating_ip_address: Joi.string(),
    fixed_ip_address: Joi.string().allow(null),
    status: Joi.string().description(
      '`ACTIVE` while associated, else `DOWN`; or another status of the service.',
    ),
    port_id: Joi.string().allow(null),
    floating_network_id: Joi.string(),
    project_id: Joi.string().allow(null),
  },
  () => ({ status: 'ACTIVE' }),
);

export const floatingIpRows = {
  filters: { network_id: ['floating_network_id'], ip_address: ['floating_ip_address', 'fixed_ip_address'] },
} as const;
