import Joi from 'joi';
import { descriptionField, idField, nameField } from '../../http/schemas/fields.ts';
import { portField, serviceWord } from './fields.ts';

export interface CreateLoadBalancerBody {
  name: string;
  vip_subnet_id: string;
  description?: string;
}

export const createLoadBalancerBody = Joi.object<CreateLoadBalancerBody, true>({
  name: nameField().required(),
  vip_subnet_id: idField().required().description('The subnet of the address at which the balancer listens.'),
  description: descriptionField(),
})
  .required()
  .meta({ name: 'CreateLoadBalancer' });

export interface UpdateLoadBalancerBody {
  name?: string;
  description?: string;
}

export const updateLoadBalancerBody = Joi.object<UpdateLoadBalancerBody, true>({
  name: nameField(),
  description: descriptionField(),
})
  .required()
  .meta({ name: 'UpdateLoadBalancer', example: () => ({ name: 'front' }) });

export interface AssociateAddressBody {
  floating_ip_id: string;
}

export const associateAddressBody = Joi.object<AssociateAddressBody, true>({
  floating_ip_id: idField().required().description('One that is not associated.'),
})
  .required()
  .meta({ name: 'AssociateLoadBalancerAddress' });

/**
 * The service looks up the id at the end, in the key manager of this cloud. Old releases of its library call
 * whatever address the URL names, with the user's token, so it has to look like one of a key manager.
 */
function certificateField() {
  return Joi.string()
    .max(255)
    .pattern(/^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]+)*\/(?:secrets|containers)\/[\da-f-]{36}$/)
    .messages({ 'string.pattern.base': 'must be the URL of a secret or container of the key manager' })
    .description(
      'The certificate for `TERMINATED_HTTPS`: the URL of a secret (PKCS #12) or container of the key manager that the user may read.',
    );
}

export interface CreateListenerBody {
  protocol: string;
  protocol_port: number;
  name?: string;
  default_pool_id?: string;
  default_tls_container_ref?: string;
}

export const createListenerBody = Joi.object<CreateListenerBody, true>({
  protocol: serviceWord()
    .required()
    .description('`HTTP`, `HTTPS`, `TERMINATED_HTTPS`, `TCP`, `UDP` and others.'),
  protocol_port: portField().required(),
  name: nameField(),
  default_pool_id: idField().description('A pool of the same load balancer.'),
  default_tls_container_ref: certificateField(),
})
  .required()
  .meta({ name: 'CreateListener', example: () => ({ name: 'http', protocol: 'HTTP' }) });

export interface UpdateListenerBody {
  name?: string;
  /** Null for none. */
  default_pool_id?: string | null;
  default_tls_container_ref?: string;
}

export const updateListenerBody = Joi.object<UpdateListenerBody, true>({
  name: nameField(),
  default_pool_id: idField().allow(null).description('A pool of the same load balancer; null for none.'),
  default_tls_container_ref: certificateField(),
})
  .required()
  .meta({ name: 'UpdateListener', example: () => ({ name: 'http' }) });
