import Joi from 'joi';
import { idField } from '../../http/schemas/fields.ts';

export interface CreateFloatingIpBody {
  floating_network_id: string;
}

export interface AssociateBody {
  instance_id: string;
}

export const createFloatingIpBody = Joi.object<CreateFloatingIpBody, true>({
  floating_network_id: idField().required().description('An external network.'),
})
  .required()
  .meta({ name: 'CreateFloatingIp' });

export const associateBody = Joi.object<AssociateBody, true>({ instance_id: idField().required() })
  .required()
  .meta({ name: 'AssociateFloatingIp' });
