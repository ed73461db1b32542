import type { NewRouterInterface, RouterDetail } from '@gateway/resources';
import Joi from 'joi';
import {
  type FieldsOf,
  idField,
  listOf,
  nameField,
  nullableText,
  part,
  shape,
  text,
} from '../../http/schemas/fields.ts';
import { entries, type Route, routesField, shownRoutes } from '../../http/schemas/network-addresses.ts';

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

const interfaceFields: FieldsOf<RouterDetail['interfaces'][number]> = {
  id: Joi.string().description("The port's."),
  subnet_id: text(),
  subnet_name: text(),
  network_id: text(),
  network_name: nullableText(),
  ip_address: text(),
};

export const routerDetailShape = shape<RouterDetail>(
  'RouterDetail',
  {
    id: Joi.string(),
    name: text(),
    status: Joi.string(),
    project_id: text(),
    project_name: nullableText(),
    external_gateway_network_id: Joi.string().allow(null),
    external_gateway_network_name: text().allow(null),
    routes: shownRoutes().description('Static routes.'),
    interfaces: listOf(part(interfaceFields)),
  },
  () => ({ status: 'ACTIVE' }),
);

export const newInterfaceShape = shape<NewRouterInterface>('NewRouterInterface', {
  ...interfaceFields,
  port_id: Joi.string(),
});
