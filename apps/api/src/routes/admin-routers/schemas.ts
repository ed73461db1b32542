import Joi from 'joi';
import { idField, nameField } from '../../http/schemas/fields.ts';

export interface UpdateRouterBody {
  name?: string;
  /** Null removes the gateway. */
  external_network_id?: string | null;
}

export const updateRouterBody = Joi.object<UpdateRouterBody, true>({
  name: nameField(),
  external_network_id: idField().allow(null).description('The network of its gateway; null for none.'),
})
  .required()
  .meta({ name: 'UpdateRouter', example: () => ({ name: 'way-out' }) });
