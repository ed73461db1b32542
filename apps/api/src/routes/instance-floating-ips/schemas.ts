import type { FloatingIp } from '@gateway/resources';
import Joi from 'joi';
import { shape, text } from '../../http/schemas/fields.ts';

export const floatingIpShape = shape<Pick<FloatingIp, 'id' | 'floating_ip_address'>>('InstanceFloatingIp', {
  id: Joi.string(),
  floating_ip_address: text(),
});
