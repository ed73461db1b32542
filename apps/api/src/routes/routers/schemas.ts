import { id, idOrEmpty, listOf, nonEmptyText, part, shapeLike, text } from '@gateway/core/shapes';
import type { NewRouterInterface, RouterDetail } from '@gateway/resources';
import Joi from 'joi';
import { idField, nameField } from '../../http/schemas/fields.ts';
import { entries, type Route, routesField } from '../../http/schemas/network-addresses.ts';
import { shownRoutes } from '../../http/schemas/shown-addresses.ts';

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

const interfaceFields = {
  id: id('interface').describe("The port's."),
  subnet_id: idOrEmpty('subnet'),
  subnet_name: text('inside'),
  network_id: idOrEmpty('network'),
  network_name: text('inside').nullable(),
  ip_address: text('10.0.0.1'),
};

export const routerDetailShape = shapeLike<RouterDetail>('RouterDetail', {
  id: id('router'),
  name: text('way-out'),
  status: nonEmptyText('ACTIVE'),
  project_id: idOrEmpty('project'),
  project_name: text('demo').nullable(),
  external_gateway_network_id: id('external_gateway_network').nullable(),
  external_gateway_network_name: text('public').nullable(),
  routes: shownRoutes().describe('Static routes.'),
  interfaces: listOf(part(interfaceFields)),
});

export const newInterfaceShape = shapeLike<NewRouterInterface>('NewRouterInterface', {
  ...interfaceFields,
  port_id: id('port'),
});
