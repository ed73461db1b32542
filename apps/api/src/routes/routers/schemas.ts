import Joi from 'joi';
import { idField, nameField } from '../../http/schemas/fields.ts';
import { entries, type Route, routesField } from '../../http/schemas/network-addresses.ts';

export interface CreateRouterBody {
  name: string;
  external_network_id?: string;
}

export interface UpdateRouterBody {
  name?: string;
  routes?: Route[];
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

export const updateRouterBody = Joi.object<UpdateRouterBody, true>({
  name: nameField().optional(),
  routes: entries(routesField())
    .optional()
    .description('All static routes. A next hop is an address in a subnet that the router connects.'),
})
  .required()
  .meta({
    name: 'UpdateRouterOfProject',
    example: () => ({ routes: [{ destination: '192.168.5.0/24', nexthop: '10.0.0.9' }] }),
  });

export const addInterfaceBody = Joi.object<AddInterfaceBody, true>({ subnet_id: idField().required() })
  .required()
  .meta({ name: 'AddRouterInterface' });

export const setGatewayBody = Joi.object<SetGatewayBody, true>({ external_network_id: idField().required() })
  .required()
  .meta({ name: 'SetRouterGateway' });
