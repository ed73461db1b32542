import type { NewRouterInterface, RouterDetail } from '@gateway/views';
import Joi from 'joi';
import { type FieldsOf, idField, listOf, nameField, part, shape, text } from '../../http/schemas/fields.ts';

export interface CreateRouterBody {
  name: string;
  external_network_id?: string;
}

export interface AddInterfaceBody {
  subnet_id: string;
}

export interface SetGatewayBody {
  external_network_id: string;
}

export const createRouterBody = Joi.object<CreateRouterBody, true>({
  name: nameField().required(),
  external_network_id: idField().optional().description('No gateway without it.'),
})
  .required()
  .meta({ name: 'CreateRouter' });

export const addInterfaceBody = Joi.object<AddInterfaceBody, true>({ subnet_id: idField().required() })
  .required()
  .meta({ name: 'AddRouterInterface' });

export const setGatewayBody = Joi.object<SetGatewayBody, true>({ external_network_id: idField().required() })
  .required()
  .meta({ name: 'SetRouterGateway' });

const interfaceFields: FieldsOf<RouterDetail['interfaces'][number]> = {
  id: Joi.string().description("The port's."),
  subnet_id: Joi.string(),
  subnet_name: text(),
  network_id: Joi.string(),
  ip_address: Joi.string(),
};

export const routerDetailShape = shape<RouterDetail>(
  'RouterDetail',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    project_id: Joi.string(),
    external_gateway_network_id: Joi.string().allow(null),
    external_gateway_network_name: text().allow(null),
    interfaces: listOf(part(interfaceFields)),
  },
  () => ({ status: 'ACTIVE' }),
);

export const newInterfaceShape = shape<NewRouterInterface>('NewRouterInterface', {
  ...interfaceFields,
  port_id: Joi.string(),
});
