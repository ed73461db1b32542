import Joi from 'joi';
import { shape } from '../../http/schemas/fields.ts';

export const floatingIpShape = shape('InstanceFloatingIp', {
  id: Joi.string(),
  floating_ip_address: Joi.string(),
});
